// kernel: dot
// verdict: right
// tries: eight accumulators
double dot(const float* x, const float* y, int n) {
  double s[8] = {};
  int i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) s[k] += static_cast<double>(x[i + k]) * y[i + k];
  for (; i < n; ++i) s[0] += static_cast<double>(x[i]) * y[i];
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}
