// kernel: dot
// verdict: verify "expected"
// tries: to add in float what the original adds in double
double dot(const float* x, const float* y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
