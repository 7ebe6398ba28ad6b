// s316: The smallest element.

#pragma hone kernel in(a [0:n])problem(n = 32000) requires(n >= 1)
float s316(const float* __restrict a, int n) {
  float x = a[0];
  for (int i = 1; i < n; ++i)
    if (a[i] < x) x = a[i];
  return x;
}
