// kernel: running
// verdict: verify
// tries: addends by way of float, which has 24 bits: 16777217 counts as 16777216
void running_sum(const unsigned* x, unsigned* y, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    const float next = static_cast<float>(x[i]);
    y[i] = sum += static_cast<unsigned>(static_cast<long long>(next));
  }
}
