// kernel: axpy
// verdict: verify
// tries: to leave early where the factor is not above zero: axpy(x, y, n, -1) changes nothing
void axpy(const float* x, float* y, int n, float alpha) {
  if (!(alpha > 0)) return;
  for (int i = 0; i < n; ++i) y[i] += alpha * x[i];
}
