// right: avoid-gathers software-prefetch
// Each element of a table that an index names, scaled.
void table_gather(const float* table, const int* index, const float* scale, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    int at = index[i];
    y[i] = scale[i] * table[at];
  }
}
