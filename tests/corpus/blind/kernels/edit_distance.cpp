// Levenshtein's distance of two strings.
#include <algorithm>
#include <vector>

#pragma hone kernel in(a[0:n], b[0:m]) problem(n = 200, m = 200) init(a: uniform(97, 102), b: uniform(97, 102))
int edit_distance(const unsigned char* a, const unsigned char* b, int n, int m) {
  std::vector<int> row(static_cast<std::size_t>(m) + 1);
  for (int j = 0; j <= m; ++j) row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      const int up = row[j];
      row[j] = std::min(std::min(up, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
      diagonal = up;
    }
  }
  return row[m];
}
