// The mean of the last k values, of fewer at the start.
#pragma hone kernel in(x [0:n])out(y [0:n]) problem(n = 6000, k = 32) tolerance(rtol = 1e-4)
void moving_average(const float* x, float* y, int n, int k) {
  if (k < 1) k = 1;
  for (int i = 0; i < n; ++i) {
    const int first = i < k ? 0 : i - k + 1;
    float sum = 0;
    for (int j = first; j <= i; ++j) sum += x[j];
    y[i] = sum / static_cast<float>(i - first + 1);
  }
}
