// kernel: find_all
// verdict: right
// tries: Knuth, Morris and Pratt: the borders of the pattern say how far to go back, the text is read once
#include <algorithm>
#include <vector>
int find_all(const unsigned char* text, const unsigned char* pattern, int* pos, int n, int m) {
  int count = 0;
  if (m > 0 && m <= n) {
    std::vector<int> border(static_cast<std::size_t>(m) + 1);
    border[0] = -1;
    for (int i = 0, b = -1; i < m;) {
      while (b >= 0 && pattern[i] != pattern[b]) b = border[b];
      border[++i] = ++b;
    }
    for (int i = 0, k = 0; i < n; ++i) {
      while (k >= 0 && text[i] != pattern[k]) k = border[k];
      if (++k == m) {
        pos[count++] = i - m + 1;
        k = border[m];
      }
    }
  }
  if (count < n) std::fill(pos + count, pos + n, -1);
  return count;
}
