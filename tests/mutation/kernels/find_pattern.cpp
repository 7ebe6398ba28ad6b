// How often a pattern occurs in a text, overlapping ones counted, and where it does first (-1: nowhere).

#pragma hone kernel in(text[0 : n], pattern[0 : m]) out(first[0 : 1]) init(text : index(0, 2), pattern : index(0, 2)) \
    problem(n = 30000, m = 9) problem(n = 12007, m = 4)
int find_pattern(const unsigned char* text, const unsigned char* pattern, int* first, int n, int m) {
  int count = 0;
  *first = -1;
  for (int i = 0; i + m <= n; ++i) {
    int k = 0;
    while (k < m && text[i + k] == pattern[k]) {
      ++k;
    }
    if (k == m) {
      if (*first < 0) *first = i;
      ++count;
    }
  }
  return count;
}
