// kernel: extremes
// verdict: right
// tries: four lanes, joined by value and then by place
void extremes(const float* x, int* where, float* value, int n) {
  bool numbers = true;
  for (int i = 0; i < n; ++i) numbers = numbers && x[i] == x[i];
  int low[4], high[4];
  const int lanes = n < 4 || !numbers ? (n > 0 ? 1 : 0) : 4;
  for (int l = 0; l < lanes; ++l) low[l] = high[l] = l;
  for (int i = lanes; i < n; ++i) {
    const int l = lanes == 4 ? i & 3 : 0;
    if (x[i] < x[low[l]]) low[l] = i;
    if (x[i] > x[high[l]]) high[l] = i;
  }
  int a = lanes ? low[0] : -1, b = lanes ? high[0] : -1;
  for (int l = 1; l < lanes; ++l) {
    if (x[low[l]] < x[a] || (x[low[l]] == x[a] && low[l] < a)) a = low[l];
    if (x[high[l]] > x[b] || (x[high[l]] == x[b] && high[l] < b)) b = high[l];
  }
  where[0] = a;
  where[1] = b;
  value[0] = a < 0 ? 0.0f : x[a];
  value[1] = b < 0 ? 0.0f : x[b];
}
