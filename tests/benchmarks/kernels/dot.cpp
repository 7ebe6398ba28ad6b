// Dot product: one running sum, whose order of additions the compiler may not change.

#pragma hone kernel in(x[0 : n], y[0 : n])init(x : uniform(0, 1), y : uniform(0, 1)) problem(n = 1 << 20) \
    problem(n = 1000003) tolerance(rtol = 1e-3)
float dot(const float* x, const float* y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * y[i];
  }
  return sum;
}
