// kernel: dot
// verdict: verify "n=0" or "crashed" or "expected"
// tries: to read the first element before it looks whether there is one
double dot(const float* x, const float* y, int n) {
  double sum = static_cast<double>(x[0]) * y[0];
  for (int i = 1; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}
