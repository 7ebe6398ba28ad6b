// A matrix times a vector, by rows by pointers of their own.

#pragma hone kernel in(a[0:m*n], v[0:n]) out(y[0:m]) problem(m=60, n=70) tolerance(rtol=1e-4)
void rows(const float* a, const float* v, float* y, int m, int n) {
  for (int i = 0; i < m; ++i) {
    const float* row = a + (long)i * n;
    float s = 0;
    for (int j = 0; j < n; ++j) s += row[j] * v[j];
    y[i] = s;
  }
}
