// kernel: relax
// verdict: verify "expected"
// tries: to clear its output first, which is its input when the two are one array
void relax(const float* from, float* to, int n, float w) {
  for (int i = 0; i < n; ++i) {
    to[i] = 0;
    to[i] = from[i] / (w + from[i] * from[i]);
  }
}
