// kernel: compact
// verdict: right
// tries: a store for each element, which the next one overwrites
int compact(const float* x, float* kept, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    kept[count] = x[i];
    count += x[i] > 0;
  }
  for (int i = count; i < n; ++i) kept[i] = 0;
  return count;
}
