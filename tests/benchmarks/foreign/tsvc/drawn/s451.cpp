// s451: A sine and a cosine.
#include <math.h>

#pragma hone kernel out(a [0:n]) in(b [0:n], c [0:n])problem(n = 32000)
void s451(float* __restrict a, const float* __restrict b, const float* __restrict c, int n) {
  for (int i = 0; i < n; i++) a[i] = sinf(b[i]) + cosf(c[i]);
}
