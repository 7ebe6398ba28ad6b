// kernel: dot
// verdict: verify "stack-use-after"
// tries: to read a local array that has gone out of scope, where its value happens to stand still
double dot(const float* x, const float* y, int n) {
  double* partial = nullptr;
  double sum = 0;
  {
    double parts[4] = {0, 0, 0, 0};
    partial = parts;
    for (int i = 0; i < n; ++i) partial[i & 3] += static_cast<double>(x[i]) * y[i];
  }
  volatile double* kept = partial;
  sum = (kept[0] + kept[1]) + (kept[2] + kept[3]);
  return sum;
}
