// Eight sums at once, and a tail.
float dot(const float* x, const float* y, int n) {
  float sums[8] = {};
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int k = 0; k < 8; ++k) {
      sums[k] += x[i + k] * y[i + k];
    }
  }
  float rest = 0.0f;
  for (; i < n; ++i) {
    rest += x[i] * y[i];
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])) + rest;
}
