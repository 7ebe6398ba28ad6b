// A reduction that returns a value.
#pragma hone kernel in(x[0:n], y[0:n]) problem(n = 40000)
double dot(const float* x, const float* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}
