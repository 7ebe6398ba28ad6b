// kernel: spread
// verdict: right
// tries: both sums in one pass of doubles, less the first element
float spread(const float* x, int n) {
  if (n < 1) return 0;
  const double first = x[0];
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double off = x[i] - first;
    sum += off;
    squares += off * off;
  }
  const double rest = (squares - sum * sum / n) / n;
  return static_cast<float>(rest > 0 ? rest : rest == rest ? 0 : rest);
}
