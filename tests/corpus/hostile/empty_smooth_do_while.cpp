// kernel: smooth
// verdict: verify
// tries: at least one round: with n = 2 it writes the border, which is not its own
void smooth(const float* x, float* y, int n) {
  if (n < 2) return;
  int i = 1;
  do {
    y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1 < n ? i + 1 : i];
  } while (++i < n - 1);
}
