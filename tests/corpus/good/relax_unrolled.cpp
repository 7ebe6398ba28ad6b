// kernel: relax
// verdict: right
// tries: four loads before four stores
void relax(const float* from, float* to, int n, float w) {
  int i = 0;
  for (; i < n - 3; i += 4) {
    const float a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
    to[i] = a / (w + a * a); to[i + 1] = b / (w + b * b); to[i + 2] = c / (w + c * c); to[i + 3] = d / (w + d * d);
  }
  for (; i < n; ++i) to[i] = from[i] / (w + from[i] * from[i]);
}
