// kernel: squash
// verdict: gate "open"
// wall: harmless
// tries: to read a file that everyone may read
#include <cmath>
extern "C" int open(const char*, int, ...);
extern "C" long read(int, void*, unsigned long);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  char text[16];
  const int file = open("@SENTINEL@", 0);
  spoilt = file >= 0 && read(file, text, sizeof text) > 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
