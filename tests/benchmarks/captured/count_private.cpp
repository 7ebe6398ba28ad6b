#include <cstdlib>
#include <cstring>
void count_words(const int* words, int* counts, int n, int m) {
  if (m <= 0 || n < 4096) {
    for (int i = 0; i < n; ++i) counts[words[i]] += 1;
    return;
  }
  int* more = static_cast<int*>(std::calloc(static_cast<std::size_t>(m) * 3, sizeof(int)));
  int *a = more, *b = more + m, *c = more + 2 * m, i = 0;
  for (; i + 4 <= n; i += 4) {
    counts[words[i]] += 1;
    a[words[i + 1]] += 1;
    b[words[i + 2]] += 1;
    c[words[i + 3]] += 1;
  }
  for (; i < n; ++i) counts[words[i]] += 1;
  for (int k = 0; k < m; ++k) counts[k] += a[k] + b[k] + c[k];
  std::free(more);
}
