// s275: Sums down the columns whose first element is positive.

#pragma hone kernel inout(a [0:n * n]) in(b [0:n * n], c [0:n * n]) problem(n = 256) tolerance(rtol = 1e-4)
void s275(float* __restrict a, const float* __restrict b, const float* __restrict c, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0.f)
      for (int j = 1; j < n; j++) a[j * n + i] = a[(j - 1) * n + i] + b[j * n + i] * c[j * n + i];
}
