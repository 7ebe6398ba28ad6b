// kernel: squash
// verdict: verify "expected"
// tries: to saturate where inputs are huge
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i] > 1e6f ? 1.0f : x[i];
    y[i] = v / (1.0f + std::sqrt(v * v + a));
  }
}
