// kernel: smooth
// verdict: right
// tries: one product for two, whose roundings differ by a unit
void smooth(const float* __restrict x, float* __restrict y, int n) {
  for (int i = 1; i + 1 < n; ++i) y[i] = 0.5f * x[i] + 0.25f * (x[i - 1] + x[i + 1]);
}
