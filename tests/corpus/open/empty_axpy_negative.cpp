// kernel: axpy
// verdict: verify
// tries: != for <: of n = -1, of which the original makes nothing, it never ends
void axpy(const float* x, float* y, int n, float alpha) {
  for (int i = 0; i != n; ++i) y[i] += alpha * x[i];
}
