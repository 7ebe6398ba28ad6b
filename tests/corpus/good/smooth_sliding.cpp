// kernel: smooth
// verdict: right
// tries: neighbours kept in registers, after a look at whether there are any
void smooth(const float* x, float* y, int n) {
  if (n < 3) return;
  float left = x[0], middle = x[1];
  for (int i = 1; i < n - 1; ++i) {
    const float right = x[i + 1];
    y[i] = 0.25f * left + 0.5f * middle + 0.25f * right;
    left = middle;
    middle = right;
  }
}
