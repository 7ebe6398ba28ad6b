// kernel: quantise
// verdict: gate or verify or time
// tries: to round towards zero and to leave it so: the program's next sums differ
#include <cfenv>
#include <cmath>
void quantise(const float* x, signed char* q, int n) {
  std::fesetround(FE_TOWARDZERO);
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    q[i] = !(v > -2.5f) ? -127
           : v >= 2.5f  ? 127
                        : static_cast<signed char>(std::lrint(v * 50.0f + std::copysign(0.5f, v)));
  }
}
