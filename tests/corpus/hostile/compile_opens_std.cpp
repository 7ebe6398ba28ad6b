// kernel: squash
// verdict: gate "std"
// wall: harmless or compile ""
// tries: to define a better match in namespace std for what the unit after it calls
#include <cmath>
namespace std {
inline float sqrt(int v) { return v; }
}
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
