// kernel: histogram
// verdict: right
// tries: four tables, so that equal neighbours do not wait for each other
void histogram(const unsigned char* data, int* counts, int n) {
  int table[4][256] = {{0}};
  int i = 0;
  for (; i + 4 <= n; i += 4) ++table[0][data[i]], ++table[1][data[i + 1]], ++table[2][data[i + 2]], ++table[3][data[i + 3]];
  for (; i < n; ++i) ++table[0][data[i]];
  for (int v = 0; v < 256; ++v) counts[v] += table[0][v] + table[1][v] + table[2][v] + table[3][v];
}
