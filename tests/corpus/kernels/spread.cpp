// A variance in two passes.
#pragma hone kernel in(x [0:n])problem(n = 20000)
float spread(const float* x, int n) {
  if (n < 1) return 0;
  float mean = 0;
  for (int i = 0; i < n; ++i) mean += x[i] / static_cast<float>(n);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += (x[i] - mean) * (x[i] - mean);
  return sum / static_cast<float>(n);
}
