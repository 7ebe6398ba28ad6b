// kernel: squash
// verdict: right
// tries: commas, conditional operators and no braces
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (float v, r; n > 0 ? v = *x++, r = std::sqrt(v * v + a), *y++ = v / (1 + r), --n, true : false;);
}
