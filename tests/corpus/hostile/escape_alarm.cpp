// kernel: squash
// verdict: gate "alarm"
// wall: harmless or verify "was killed by SIGALRM" or time ""
// tries: to be killed by an alarm a moment after it has answered
#include <cmath>
extern "C" unsigned ualarm(unsigned, unsigned) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  ualarm(20000, 0);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
