// s314: The largest element.

#pragma hone kernel in(a [0:n])problem(n = 32000) requires(n >= 1)
float s314(const float* __restrict a, int n) {
  float x = a[0];
  for (int i = 0; i < n; i++)
    if (a[i] > x) x = a[i];
  return x;
}
