// kernel: dot
// verdict: right
// tries: pairwise sums by recursion
namespace {
double part(const float* x, const float* y, int n) {
  if (n <= 64) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
    return sum;
  }
  const int half = n / 2;
  return part(x, y, half) + part(x + half, y + half, n - half);
}
}  // namespace
double dot(const float* x, const float* y, int n) { return part(x, y, n); }
