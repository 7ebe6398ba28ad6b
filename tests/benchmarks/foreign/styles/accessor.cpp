// A matrix times a vector, by a lambda that gives the elements.

#pragma hone kernel in(a[0:m*n], v[0:n]) out(y[0:m]) problem(m=60, n=70) tolerance(rtol=1e-4)
void accessor(const float* a, const float* v, float* y, int m, int n) {
  const auto at = [&](int i, int j) { return a[i * n + j]; };
  for (int i = 0; i < m; ++i) {
    float s = 0;
    for (int j = 0; j < n; ++j) s += at(i, j) * v[j];
    y[i] = s;
  }
}
