// kernel: squash
// verdict: gate "printf" or "puts" or "<cstdio>"
// wall: harmless
// tries: to fill the judge's pipes and memory with output
#include <cmath>
#include <cstdio>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < 4000; ++i) std::fputs("right: true, faster: true, right: true, faster: true\n", i % 2 ? stdout : stderr);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
