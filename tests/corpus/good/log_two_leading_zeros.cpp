// kernel: log_two
// verdict: right
// tries: the processor's count of leading zeros, zero apart
void log_two(const unsigned* x, int* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] ? 31 - __builtin_clz(x[i]) : -1;
}
