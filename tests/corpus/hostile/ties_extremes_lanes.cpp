// kernel: extremes
// verdict: verify
// tries: four lanes that are joined lane by lane: of equals in lanes 3 and 4 the one in the lower lane wins, though it stands later
void extremes(const float* x, int* where, float* value, int n) {
  int low[4], high[4];
  const int lanes = n < 4 ? (n > 0 ? n : 0) : 4;
  for (int l = 0; l < lanes; ++l) low[l] = high[l] = l;
  for (int i = lanes; i < n; ++i) {
    const int l = i & 3;
    if (x[i] < x[low[l]]) low[l] = i;
    if (x[i] > x[high[l]]) high[l] = i;
  }
  int a = lanes ? low[0] : -1, b = lanes ? high[0] : -1;
  for (int l = 1; l < lanes; ++l) {
    if (x[low[l]] < x[a]) a = low[l];
    if (x[high[l]] > x[b]) b = high[l];
  }
  where[0] = a;
  where[1] = b;
  value[0] = a < 0 ? 0.0f : x[a];
  value[1] = b < 0 ? 0.0f : x[b];
}
