// Fewest insertions, deletions and exchanges that make one word of the other, with one row of the table kept.

#pragma hone kernel in(a[0 : n], b[0 : m]) out(row[0 : m + 1]) init(a : index(0, 4), b : index(0, 4)) \
    problem(n = 150, m = 200) problem(n = 97, m = 61)
int edit_distance(const unsigned char* a, const unsigned char* b, int* row, int n, int m) {
  for (int j = 0; j <= m; ++j) {
    row[j] = j;
  }
  for (int i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      const int above = row[j];
      int cost = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      if (above + 1 < cost) cost = above + 1;
      if (row[j - 1] + 1 < cost) cost = row[j - 1] + 1;
      row[j] = cost;
      diagonal = above;
    }
  }
  return row[m];
}
