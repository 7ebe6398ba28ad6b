// kernel: extremes
// verdict: verify
// tries: >= for >: of 1, 5, 5 the largest stands second, not third
void extremes(const float* x, int* where, float* value, int n) {
  int low = n > 0 ? 0 : -1, high = low;
  for (int i = 1; i < n; ++i) {
    low = x[i] <= x[low] ? i : low;
    high = x[i] >= x[high] ? i : high;
  }
  where[0] = low;
  where[1] = high;
  value[0] = low < 0 ? 0.0f : x[low];
  value[1] = high < 0 ? 0.0f : x[high];
}
