// Merges two sorted arrays; of equals those of `a` come first, which the payload shows.

#pragma hone kernel in(a[0 : n], b[0 : m]) out(merged[0 : n + m], from_b[0 : n + m]) \
    init(a : sorted(0, 500), b : sorted(0, 500)) problem(n = 6000, m = 9000) problem(n = 4001, m = 33)
void merge_runs(const int* a, const int* b, int* merged, unsigned char* from_b, int n, int m) {
  int i = 0, j = 0, k = 0;
  while (i < n && j < m) {
    if (b[j] < a[i]) {
      merged[k] = b[j++];
      from_b[k++] = 1;
    } else {
      merged[k] = a[i++];
      from_b[k++] = 0;
    }
  }
  for (; i < n; ++i) {
    merged[k] = a[i];
    from_b[k++] = 0;
  }
  for (; j < m; ++j) {
    merged[k] = b[j];
    from_b[k++] = 1;
  }
}
