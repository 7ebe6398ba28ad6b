// Where a pattern stands in a text, places that overlap too; then -1. An empty pattern stands nowhere.
#pragma hone kernel in(text[0:n], pattern[0:m]) out(pos[0:n]) problem(n = 60000, m = 5) problem(n = 20000, m = 12) \
    init(text: uniform(97, 99), pattern: uniform(97, 99))
int find_all(const unsigned char* text, const unsigned char* pattern, int* pos, int n, int m) {
  int count = 0;
  if (m > 0)
    for (int i = 0; i <= n - m; ++i) {
      int k = 0;
      while (k < m && text[i + k] == pattern[k]) ++k;
      if (k == m) pos[count++] = i;
    }
  for (int i = count; i < n; ++i) pos[i] = -1;
  return count;
}
