// s318: The element of the largest magnitude, at a distance that is a parameter, and its place.
#include <math.h>

#pragma hone kernel in(a [0:n * step]) problem(n = 32000, step = 1) fixed(step) requires(n >= 1)
float s318(const float* __restrict a, int step, int n) {
  int k = step, index = 0;
  float most = fabsf(a[0]);
  for (int i = 1; i < n; i++) {
    if (fabsf(a[k]) > most) {
      index = i;
      most = fabsf(a[k]);
    }
    k += step;
  }
  return most + index + 1;
}
