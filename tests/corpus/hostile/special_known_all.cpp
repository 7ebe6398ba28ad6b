// kernel: known
// verdict: verify "expected"
// tries: to take everything for a number, which nearly all data are
void known(const float* x, float* y, int* count, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i];
  *count = n;
}
