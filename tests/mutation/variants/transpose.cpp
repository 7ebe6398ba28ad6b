// Tiles of sixteen by sixteen.
void transpose(const float* a, float* b, int rows, int columns) {
  constexpr int tile = 16;
  for (int i0 = 0; i0 < rows; i0 += tile) {
    const int i1 = i0 + tile < rows ? i0 + tile : rows;
    for (int j0 = 0; j0 < columns; j0 += tile) {
      const int j1 = j0 + tile < columns ? j0 + tile : columns;
      for (int j = j0; j < j1; ++j) {
        for (int i = i0; i < i1; ++i) {
          b[j * rows + i] = a[i * columns + j];
        }
      }
    }
  }
}
