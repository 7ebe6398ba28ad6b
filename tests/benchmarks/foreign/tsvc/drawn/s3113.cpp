// s3113: The largest magnitude.
#include <math.h>

#pragma hone kernel in(a [0:n])problem(n = 32000) requires(n >= 1)
float s3113(const float* __restrict a, int n) {
  float most = fabsf(a[0]);
  for (int i = 0; i < n; i++)
    if (fabsf(a[i]) > most) most = fabsf(a[i]);
  return most;
}
