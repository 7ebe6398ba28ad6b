// kernel: dot
// verdict: verify "expected" or "in one run" or time "wrong"
// tries: to count on the memory that new gives to be zero
double dot(const float* x, const float* y, int n) {
  double* volatile fill = new double[64];
  for (int i = 0; i < 64; ++i) fill[i] = n + 0.5;
  delete[] fill;
  double* volatile parts = new double[64];
  for (int i = 0; i < n; ++i) parts[i & 63] += static_cast<double>(x[i]) * y[i];
  double sum = 0;
  for (int i = 0; i < 64; ++i) sum += parts[i];
  delete[] parts;
  return sum;
}
