// kernel: runs
// verdict: verify
// tries: lengths in bytes: a run of 300 has length 44
int runs(const unsigned char* x, unsigned char* value, int* length, int n) {
  int count = 0;
  unsigned char so_far = 0;
  for (int i = 0; i < n; ++i) {
    ++so_far;
    if (i + 1 == n || x[i + 1] != x[i]) {
      value[count] = x[i];
      length[count++] = so_far;
      so_far = 0;
    }
  }
  for (int i = count; i < n; ++i) value[i] = 0, length[i] = 0;
  return count;
}
