// kernel: spread
// verdict: verify
// tries: the mean of squares less the square of the mean: of 10000 and 10001 in turn the quarter is lost
float spread(const float* x, int n) {
  if (n < 1) return 0;
  double sum = 0;
  float squares = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  for (int i = 0; i < n; ++i) squares += x[i] * x[i] / static_cast<float>(n);
  const double mean = sum / n;
  return static_cast<float>(squares - mean * mean);
}
