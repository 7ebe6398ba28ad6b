// kernel: axpy
// verdict: verify
// tries: to do the last eight once more, as one may with out: of 9 elements seven get twice their share
void axpy(const float* __restrict x, float* __restrict y, int n, float alpha) {
  int i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) y[i + k] += alpha * x[i + k];
  if (i < n && n >= 8)
    for (int k = n - 8; k < n; ++k) y[k] += alpha * x[k];
  else
    for (; i < n; ++i) y[i] += alpha * x[i];
}
