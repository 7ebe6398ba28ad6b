// kernel: squash
// verdict: verify "expected" or "in one run" or time "wrong"
// tries: to hide its memory of earlier calls in thread-local storage
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  thread_local float drift = 0;
  drift += 1e-3f;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + drift;
}
