// A sparse matrix by rows times a vector; a column may be named twice.

#pragma hone kernel in(start[0 : rows + 1], column[0 : entries], value[0 : entries], x[0 : columns])     \
    out(y[0 : rows]) init(start : sorted(0, entries), column : index(0, columns), value : uniform(0, 1), \
                          x : uniform(0, 1)) problem(rows = 1500, columns = 1200, entries = 16000)      \
        problem(rows = 700, columns = 37, entries = 9001) tolerance(rtol = 1e-4)
void csr_matvec(const int* start, const int* column, const float* value, const float* x, float* y, int rows,
                int columns, int entries) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (int k = start[r]; k < start[r + 1] && k < entries; ++k) {
      if (column[k] < columns) sum += value[k] * x[column[k]];
    }
    y[r] = sum;
  }
}
