// kernel: extremes
// verdict: verify
// tries: a loop from the end, which needs >= and has >: of equals the last
void extremes(const float* x, int* where, float* value, int n) {
  int low = n - 1, high = n - 1;
  for (int i = n - 2; i >= 0; --i) {
    if (x[i] < x[low]) low = i;
    if (x[i] > x[high]) high = i;
  }
  where[0] = n > 0 ? low : -1;
  where[1] = n > 0 ? high : -1;
  value[0] = n > 0 ? x[low] : 0.0f;
  value[1] = n > 0 ? x[high] : 0.0f;
}
