// Mean and variance of each segment of a series; segment s goes from start[s] to start[s + 1], and may be empty.
#pragma hone kernel in(start[0:k+1], x[0:n]) out(mean[0:k], variance[0:k]) problem(k = 2000, n = 60000) \
    init(start: sorted(0, n), x: uniform(-1000, 1000)) tolerance(rtol = 1e-4)
void segment_variance(const int* start, const float* x, float* mean, float* variance, int k, int n) {
  (void)n;
  for (int s = 0; s < k; ++s) {
    const int length = start[s + 1] - start[s];
    mean[s] = variance[s] = 0;
    if (length <= 0) continue;
    double sum = 0, squares = 0;
    for (int i = start[s]; i < start[s + 1]; ++i) sum += x[i];
    const double m = sum / length;
    for (int i = start[s]; i < start[s + 1]; ++i) squares += (x[i] - m) * (x[i] - m);
    mean[s] = static_cast<float>(m);
    variance[s] = static_cast<float>(squares / length);
  }
}
