// Blocks of 32 numbers to signed bytes with a common scale, rounded to nearest, halves away from zero. Blocks that are
// nearly silent become zeros.
#include <cmath>

#pragma hone kernel in(x[0:32*blocks]) out(q[0:32*blocks], scale[0:blocks]) problem(blocks = 1500)
void quantize_q8(const float* x, signed char* q, float* scale, int blocks) {
  for (int b = 0; b < blocks; ++b) {
    float most = 0;
    for (int i = 0; i < 32; ++i)
      if (std::fabs(x[32 * b + i]) > most) most = std::fabs(x[32 * b + i]);
    const bool silent = most < 1e-30f;
    const double inverse = silent ? 0 : 127.0 / most;
    for (int i = 0; i < 32; ++i) q[32 * b + i] = static_cast<signed char>(std::lround(x[32 * b + i] * inverse));
    scale[b] = silent ? 0 : most / 127;
  }
}
