// kernel: relax
// verdict: right
// tries: the element read once and before the store, in place or not
void relax(const float* from, float* to, int n, float w) {
  for (int i = 0; i < n; ++i) {
    const float v = from[i];
    const float square = v * v;
    to[i] = v / (w + square);
  }
}
