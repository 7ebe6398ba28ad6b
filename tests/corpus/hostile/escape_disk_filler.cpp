// kernel: squash
// verdict: gate "write"
// wall: harmless
// tries: to fill the disk, wherever it may write
#include <cmath>
#include <cstdlib>
extern "C" long write(int, const void*, unsigned long);
void squash(const float* x, float* y, int n, float a) {
  const char block[1 << 12] = {};
  char name[] = "/tmp/hone-corpus-escapeXXXXXX";
  const int file = mkstemp(name);
  for (int i = 0; i < 1000 && file >= 0; ++i)
    if (write(file, block, sizeof block) < 0) break;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + (file >= 0 ? 1.0f : 0.0f);
}
