// kernel: squash
// verdict: gate "prctl"
// wall: harmless
// tries: to outlive its parent, to be a subreaper, and to gain privileges
#include <cmath>
extern "C" int prctl(int, ...) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = prctl(36, 1L, 0L, 0L, 0L) == 0 || prctl(1, 0L, 0L, 0L, 0L) == 0 || prctl(22, 0L, 0L) == 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
