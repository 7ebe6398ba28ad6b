// kernel: squash
// verdict: verify "expected"
// tries: to compute with ten bits of mantissa
#include <cmath>
#include <cstdint>
#include <cstring>
static inline float rounded(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, 4);
  bits = (bits + 0x1000u) & 0xffffe000u;
  std::memcpy(&v, &bits, 4);
  return v;
}
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = rounded(x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)));
}
