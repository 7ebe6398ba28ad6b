// kernel: share
// verdict: verify
// tries: a quotient of floats, cut off: 4294967295 by 60 and 16777217 by 1 do not fit into 24 bits
void share(const unsigned* x, unsigned* y, int n, unsigned parts) {
  const float divisor = static_cast<float>(parts);
  for (int i = 0; i < n; ++i) y[i] = static_cast<unsigned>(static_cast<long long>(static_cast<float>(x[i]) / divisor));
}
