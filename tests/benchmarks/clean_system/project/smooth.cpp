// A moving average, which reads again what it has read.
void smooth(const float* in, float* out, int n, int r) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = -r; k <= r; ++k) {
      int j = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k;
      sum += in[j];
    }
    out[i] = sum / (2 * r + 1);
  }
}
