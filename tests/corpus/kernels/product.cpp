// A product of matrices.
#pragma hone kernel in(a [0:m] [0:k], b [0:k] [0:n])out(c [0:m] [0:n]) problem(m = 40, n = 72, k = 96)
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}
