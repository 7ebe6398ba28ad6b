// kernel: spread
// verdict: right
// tries: Welford's single pass in double
float spread(const float* x, int n) {
  if (n < 1) return 0;
  double mean = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    const double off = x[i] - mean;
    mean += off / (i + 1);
    sum += off * (x[i] - mean);
  }
  return static_cast<float>(sum / n);
}
