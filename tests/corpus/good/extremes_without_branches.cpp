// kernel: extremes
// verdict: right
// tries: selects in place of branches, the first of equals
void extremes(const float* x, int* where, float* value, int n) {
  int low = n > 0 ? 0 : -1, high = low;
  float least = n > 0 ? x[0] : 0.0f, most = least;
  for (int i = 1; i < n; ++i) {
    const bool less = x[i]<least, more = x[i]> most;
    low = less ? i : low;
    least = less ? x[i] : least;
    high = more ? i : high;
    most = more ? x[i] : most;
  }
  where[0] = low;
  where[1] = high;
  value[0] = least;
  value[1] = most;
}
