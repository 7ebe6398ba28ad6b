// Matrix transpose: rows are read, columns are written.

#pragma hone kernel in(a[0 : rows * columns]) out(b[0 : rows * columns]) problem(rows = 1024, columns = 1024) \
    problem(rows = 1003, columns = 1111)
void transpose(const float* a, float* b, int rows, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      b[j * rows + i] = a[i * columns + j];
    }
  }
}
