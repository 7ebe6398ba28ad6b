// kernel: nudge
// verdict: verify
// tries: the small term with the other sign
void nudge(const float* a, const float* b, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2.0f * a[i] - 1e-7f * b[i];
}
