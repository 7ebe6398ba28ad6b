// Several outputs: where the smallest and the largest stand first, and what they are.
#pragma hone kernel in(x [0:n])out(where [0:2], value [0:2]) problem(n = 30000)
void extremes(const float* x, int* where, float* value, int n) {
  int low = -1, high = -1;
  for (int i = 0; i < n; ++i) {
    if (low < 0 || x[i] < x[low]) low = i;
    if (high < 0 || x[i] > x[high]) high = i;
  }
  where[0] = low;
  where[1] = high;
  value[0] = low < 0 ? 0.0f : x[low];
  value[1] = high < 0 ? 0.0f : x[high];
}
