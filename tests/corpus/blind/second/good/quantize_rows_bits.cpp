// kernel: quantize_rows
// verdict: right
// tries: magnitudes compared as integers, rounding by adding 1.5 * 2^23 and taking the low byte: loops without branches
#include <cstdint>
#include <cstring>
static inline std::uint32_t bits_of(float f) {
  std::uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
void quantize_rows(const float* __restrict x, signed char* __restrict q, float* __restrict scale, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* __restrict from = x + static_cast<long>(r) * cols;
    signed char* __restrict to = q + static_cast<long>(r) * cols;
    std::int32_t high = 0;  // Magnitudes ascend as their bits do; what lies above infinity is no number and counts as 0.
    for (int c = 0; c < cols; ++c) {
      std::int32_t b = static_cast<std::int32_t>(bits_of(from[c]) & 0x7fffffffu);
      b = b > 0x7f800000 ? 0 : b;
      high = b > high ? b : high;
    }
    float most;
    std::memcpy(&most, &high, 4);
    const float inverse = most > 0 ? 127 / most : 0;
    for (int c = 0; c < cols; ++c) {
      float v = from[c] * inverse;
      v = v == v ? v : 0.0f;
      v = v < 127.0f ? v : 127.0f;
      v = v > -127.0f ? v : -127.0f;
      to[c] = static_cast<signed char>(bits_of(v + 12582912.0f) & 255u);  // The sum lies in [2^23, 2^24): steps of one.
    }
    scale[r] = most / 127;
  }
}
