// kernel: bend
// verdict: verify
// tries: tanh as a quotient of exponentials: of 50 it makes infinity by infinity, which is no number
#include <cmath>
void bend(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const double e = static_cast<double>(std::exp(2.0f * x[i]));
    y[i] = static_cast<float>((e - 1.0) / (e + 1.0));
  }
}
