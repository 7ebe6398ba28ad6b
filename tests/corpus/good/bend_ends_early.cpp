// kernel: bend
// verdict: right
// tries: one beyond 9.1, where tanh is one in float, and tanh before
#include <cmath>
void bend(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    y[i] = v > 9.1f ? 1.0f : v < -9.1f ? -1.0f : std::tanh(v);
  }
}
