// kernel: csr_product
// verdict: verify
// tries: rows whose first, middle and last columns fit a run are taken for dense and read as vectors, others go four at once by length: wrong where columns in between are out of order or repeated
#include <cstddef>
#include <emmintrin.h>
#include <vector>
namespace {
constexpr int longest = 255;
inline float dense(const float* v, const float* x, int length) {
  __m128 sums = _mm_setzero_ps();
  int k = 0;
  for (; k + 4 <= length; k += 4) sums = _mm_add_ps(sums, _mm_mul_ps(_mm_loadu_ps(v + k), _mm_loadu_ps(x + k)));
  float part[4];
  _mm_storeu_ps(part, sums);
  for (; k < length; ++k) part[0] += v[k] * x[k];
  return (part[0] + part[1]) + (part[2] + part[3]);
}
// Of a row of at least 4 entries.
inline bool is_run(const int* c, int length) {
  return (c[length - 1] - c[0] == length - 1) & (c[length / 2] - c[0] == length / 2);
}
}  // namespace
void csr_product(const int* start, const int* col, const float* v, const float* x, float* y, int rows, int, int) {
  if (rows <= 0) return;
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
  const auto whole = [&](int r) {
    const int k = start[r], length = start[r + 1] - k;
    if (length >= 4 && is_run(col + k, length)) y[r] = dense(v + k, x + col[k], length);
    else rest(r, k, 0);
  };
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const int r0 = order[i], r1 = order[i + 1], r2 = order[i + 2], r3 = order[i + 3];
    const int k0 = start[r0], k1 = start[r1], k2 = start[r2], k3 = start[r3];
    const int common = kind(r0);  // no other one of the four is shorter
    if (common >= 4 && (is_run(col + k0, start[r0 + 1] - k0) | is_run(col + k1, start[r1 + 1] - k1) |
                        is_run(col + k2, start[r2 + 1] - k2) | is_run(col + k3, start[r3 + 1] - k3))) {
      whole(r0), whole(r1), whole(r2), whole(r3);
      continue;
    }
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
  for (; i < rows; ++i) whole(order[i]);
}
