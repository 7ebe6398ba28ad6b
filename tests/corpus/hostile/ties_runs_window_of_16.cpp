// kernel: runs
// verdict: verify
// tries: to compare sixteen bytes at once and no further: a run of 20 ends at 16 and begins again
int runs(const unsigned char* x, unsigned char* value, int* length, int n) {
  int count = 0;
  for (int i = 0; i < n;) {
    int long_as = 1;
    const int room = n - i < 16 ? n - i : 16;
    while (long_as < room && x[i + long_as] == x[i]) ++long_as;
    value[count] = x[i];
    length[count++] = long_as;
    i += long_as;
  }
  for (int i = count; i < n; ++i) value[i] = 0, length[i] = 0;
  return count;
}
