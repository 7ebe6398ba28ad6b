// kernel: dot
// verdict: right
// tries: Kahan's summation, more exact than the original
double dot(const float* x, const float* y, int n) {
  double sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    const double term = static_cast<double>(x[i]) * y[i] - lost;
    const double next = sum + term;
    lost = next - next == 0 ? (next - sum) - term : 0;  // an infinity loses nothing
    sum = next;
  }
  return sum;
}
