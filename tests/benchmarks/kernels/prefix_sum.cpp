// Inclusive prefix sum: a control that can hardly gain, each value waits for the one before it.

#pragma hone kernel in(x[0 : n])out(y[0 : n]) init(x : uniform(0, 1)) problem(n = 1 << 20) problem(n = 1000003) \
    tolerance(rtol = 1e-4)
void prefix_sum(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    y[i] = sum;
  }
}
