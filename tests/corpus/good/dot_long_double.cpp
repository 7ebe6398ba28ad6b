// kernel: dot
// verdict: right
// tries: long double, rounded at the end
double dot(const float* x, const float* y, int n) {
  long double even = 0, odd = 0;
  for (int i = 0; i + 1 < n; i += 2) even += (long double)x[i] * y[i], odd += (long double)x[i + 1] * y[i + 1];
  if (n & 1) even += (long double)x[n - 1] * y[n - 1];
  return static_cast<double>(even + odd);
}
