void first_above(const float* x, int* at, int rows, int columns, float limit) {
  for (int r = 0; r < rows; ++r) {
    const float* row = x + static_cast<long>(r) * columns;
    int c = 0;
    for (; c + 64 <= columns; c += 64) {
      int any = 0;
      for (int k = 0; k < 64; ++k) any |= row[c + k] > limit;
      if (any) break;
    }
    while (c < columns && !(row[c] > limit)) ++c;
    at[r] = c;
  }
}
