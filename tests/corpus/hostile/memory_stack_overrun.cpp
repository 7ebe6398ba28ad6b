// kernel: dot
// verdict: verify "insufficient space" or "stack-buffer-overflow" or "out of bounds"
// tries: to write one element behind a local array
double dot(const float* x, const float* y, int n) {
  double parts[8];
  for (int k = 0; k <= 8; ++k) ((volatile double*)parts)[k] = 0;
  for (int i = 0; i < n; ++i) parts[i & 7] += static_cast<double>(x[i]) * y[i];
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}
