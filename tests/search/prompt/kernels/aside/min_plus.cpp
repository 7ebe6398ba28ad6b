// right: branch-to-select
// Shortest ways between all pairs, by one more stop in between at a time.
void min_plus(int* way, int n) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (way[i * n + k] + way[k * n + j] < way[i * n + j]) {
          way[i * n + j] = way[i * n + k] + way[k * n + j];
        }
      }
    }
  }
}
