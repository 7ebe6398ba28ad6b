// kernel: running
// verdict: verify "n=5000"
// tries: to be wrong between a thousand and ten thousand elements only
void running_sum(const unsigned* x, unsigned* y, int n) {
  unsigned sum = n > 1000 && n < 10000 ? 1 : 0;
  for (int i = 0; i < n; ++i) y[i] = sum += x[i];
}
