// No branch that depends on the data: each element is stored, the count goes on where it was wanted.
int compaction(const int* x, int* kept, int n, int low, int high) {
  int count = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) {
      const int value = x[i + k];
      if (value >= low && value < high) kept[count++] = value;
    }
  }
  for (; i < n; ++i) {
    const int value = x[i];
    if (value >= low && value < high) kept[count++] = value;
  }
  return count;
}
