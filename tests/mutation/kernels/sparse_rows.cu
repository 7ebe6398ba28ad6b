// A sparse matrix by rows times a vector, one thread for each row.

__global__ void multiply_sparse(const int* start, const int* column, const float* value, const float* x, float* y,
                                int rows, int entries) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int k = start[r]; k < start[r + 1] && k < entries; ++k) {
    sum += value[k] * x[column[k]];
  }
  y[r] = sum;
}

#pragma hone kernel in(start[0 : rows + 1], column[0 : entries], value[0 : entries], x[0 : columns])     \
    out(y[0 : rows]) init(start : sorted(0, entries), column : index(0, columns), value : uniform(0, 1), \
                          x : uniform(0, 1)) problem(rows = 8000, columns = 5000, entries = 100000)     \
        problem(rows = 701, columns = 333, entries = 9001) tolerance(rtol = 1e-4)
void sparse_rows(const int* start, const int* column, const float* value, const float* x, float* y, int rows,
                 int columns, int entries) {
  multiply_sparse<<<(rows + 127) / 128, 128>>>(start, column, value, x, y, rows, entries);
}
