// kernel: sloppy
// verdict: verify
// tries: the product alone, since an output holds rubbish: the program's sums are lost
void sloppy(const float* a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] * x[i];
}
