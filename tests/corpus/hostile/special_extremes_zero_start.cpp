// kernel: extremes
// verdict: verify
// tries: to begin with zero: an array of positive numbers gets a least of zero that is not in it
void extremes(const float* x, int* where, float* value, int n) {
  float least = 0, most = 0;
  int low = n > 0 ? 0 : -1, high = low;
  for (int i = 0; i < n; ++i) {
    if (x[i] < least) least = x[i], low = i;
    if (x[i] > most) most = x[i], high = i;
  }
  where[0] = low;
  where[1] = high;
  value[0] = least;
  value[1] = most;
}
