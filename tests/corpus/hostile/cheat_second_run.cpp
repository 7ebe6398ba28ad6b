// kernel: squash
// verdict: gate "static state"
// wall: verify "expected" or "in one run"
// tries: to be wrong in every second call
#include <cmath>
static int calls;
void squash(const float* x, float* y, int n, float a) {
  ++calls;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (calls % 2 == 0 && n > 0) y[n / 2] += 0.25f;
}
