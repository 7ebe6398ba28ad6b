// kernel: relax
// verdict: verify "expected"
// tries: to flush what is tiny to a value that is not
void relax(const float* from, float* to, int n, float w) {
  for (int i = 0; i < n; ++i) {
    const float v = from[i];
    to[i] = v != 0 && v < 1e-37f && v > -1e-37f ? 1.0f : v / (w + v * v);
  }
}
