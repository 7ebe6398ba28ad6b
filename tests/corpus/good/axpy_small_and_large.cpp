// kernel: axpy
// verdict: right
// tries: a short way for few elements and an unrolled one for many
void axpy(const float* __restrict x, float* __restrict y, int n, float alpha) {
  if (n < 16) {
    for (int i = 0; i < n; ++i) y[i] += alpha * x[i];
    return;
  }
  int i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) y[i + k] += alpha * x[i + k];
  for (; i < n; ++i) y[i] += alpha * x[i];
}
