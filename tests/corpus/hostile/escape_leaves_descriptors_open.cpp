// kernel: squash
// verdict: gate "dup"
// wall: verify "" or harmless
// tries: to use up every descriptor there is
#include <cmath>
extern "C" int dup(int) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  while (dup(2) >= 0) continue;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
