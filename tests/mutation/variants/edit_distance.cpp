// The cost goes along in a register.
int edit_distance(const unsigned char* a, const unsigned char* b, int* row, int n, int m) {
  for (int j = 0; j <= m; ++j) row[j] = j;
  for (int i = 0; i < n; ++i) {
    int diagonal = i, left = i + 1;
    row[0] = left;
    for (int j = 1; j <= m; ++j) {
      const int above = row[j];
      int cost = diagonal + (a[i] != b[j - 1]);
      cost = above < cost ? above + 1 < cost ? above + 1 : cost : cost;
      cost = left + 1 < cost ? left + 1 : cost;
      row[j] = left = cost;
      diagonal = above;
    }
  }
  return row[m];
}
