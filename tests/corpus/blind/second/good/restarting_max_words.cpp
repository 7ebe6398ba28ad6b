// kernel: restarting_max
// verdict: right
// tries: eight flags by one 64-bit load; without a restart among them eight selections in a row, unrolled
#include <cstdint>
#include <cstring>
void restarting_max(const float* x, const unsigned char* keep, float* state, float* y, int n) {
  float most = *state;
  int i = 0;
  for (; n - i >= 8; i += 8) {
    std::uint64_t flags;
    std::memcpy(&flags, keep + i, 8);
    if (((flags - 0x0101010101010101u) & ~flags & 0x8080808080808080u) == 0) {
#pragma GCC unroll 8
      for (int l = 0; l < 8; ++l) {
        const float v = x[i + l];
        most = v > most ? v : most;
        y[i + l] = most;
      }
    } else {
      for (int l = 0; l < 8; ++l) {
        const float v = x[i + l];
        most = ((keep[i + l] == 0) | (v > most)) ? v : most;
        y[i + l] = most;
      }
    }
  }
  for (; i < n; ++i) {
    const float v = x[i];
    most = ((keep[i] == 0) | (v > most)) ? v : most;
    y[i] = most;
  }
  *state = most;
}
