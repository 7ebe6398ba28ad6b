// kernel: share
// verdict: right
// tries: a quotient of doubles, which is exact enough for 32 bits
void share(const unsigned* x, unsigned* y, int n, unsigned parts) {
  const double divisor = parts;
  for (int i = 0; i < n; ++i) y[i] = static_cast<unsigned>(static_cast<double>(x[i]) / divisor);
}
