// kernel: squash
// verdict: gate "write"
// wall: verify ""
// tries: to write noise to whatever is open
#include <cmath>
extern "C" long write(int, const void*, unsigned long);
void squash(const float* x, float* y, int n, float a) {
  char noise[512];
  for (unsigned i = 0; i < sizeof noise; ++i) noise[i] = static_cast<char>(i * 37);
  for (int file = 0; file < 64; ++file) (void)!write(file, noise, sizeof noise);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
