// kernel: squash
// verdict: right
// tries: a staging buffer on the stack, squared in one sweep and finished in another
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  alignas(64) float staged[512];
  for (int b = 0; b < n; b += 512) {
    const int count = n - b < 512 ? n - b : 512;
    for (int i = 0; i < count; ++i) staged[i] = x[b + i] * x[b + i] + a;
    for (int i = 0; i < count; ++i) staged[i] = 1.0f + std::sqrt(staged[i]);
    for (int i = 0; i < count; ++i) y[b + i] = x[b + i] / staged[i];
  }
}
