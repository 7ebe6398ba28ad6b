// kernel: smooth
// verdict: verify
// tries: the first output before the loop: with n = 1 it reads and writes beyond both arrays
void smooth(const float* x, float* y, int n) {
  if (n == 0) return;
  float left = x[0], middle = x[1];
  int i = 1;
  do {
    const float right = x[i + 1];
    y[i] = 0.25f * left + 0.5f * middle + 0.25f * right;
    left = middle;
    middle = right;
  } while (++i < n - 1);
}
