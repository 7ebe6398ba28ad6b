// right: branch-to-select
// Elements above a threshold are scaled, the others are shifted.
void threshold_scale(const float* x, float* y, float t, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] > t) {
      y[i] = x[i] * 1.5f;
    } else {
      y[i] = x[i] - 0.25f;
    }
  }
}
