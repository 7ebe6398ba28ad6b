// At how many places of a text a pattern begins; the places may overlap, and an empty pattern is everywhere.
#pragma hone kernel in(text[0:n], pattern[0:m]) problem(n = 100000, m = 7) \
    init(text: uniform(97, 100), pattern: uniform(97, 100))
int count_pattern(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  int count = 0;
  for (int i = 0; i + m <= n; ++i) {
    int k = 0;
    while (k < m && text[i + k] == pattern[k]) ++k;
    if (k == m) ++count;
  }
  return count;
}
