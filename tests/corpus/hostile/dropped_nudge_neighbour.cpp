// kernel: nudge
// verdict: verify
// tries: the small term of the neighbour: with b of a billion each answer is another's
void nudge(const float* a, const float* b, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2.0f * a[i] + 1e-7f * b[i + 1 < n ? i + 1 : i];
}
