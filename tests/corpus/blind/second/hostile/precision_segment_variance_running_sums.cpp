// kernel: segment_variance
// verdict: verify
// tries: sums and sums of squares that run through all segments, and their differences: nothing is left of a small variance around a large mean
void segment_variance(const int* start, const float* x, float* mean, float* variance, int k, int) {
  double sum = 0, squares = 0, sum_before = 0, squares_before = 0;
  for (int s = 0; s < k; ++s) {
    const int length = start[s + 1] - start[s];
    for (int i = start[s]; i < start[s + 1]; ++i) {
      const double v = x[i];
      sum += v;
      squares += v * v;
    }
    if (length > 0) {
      const double part = 1.0 / length, m = (sum - sum_before) * part, v = (squares - squares_before) * part - m * m;
      mean[s] = static_cast<float>(m);
      variance[s] = static_cast<float>(v > 0 ? v : 0);
    } else {
      mean[s] = variance[s] = 0;
    }
    sum_before = sum;
    squares_before = squares;
  }
}
