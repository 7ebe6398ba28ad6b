// PolyBench's atax: y = A' (A x), one thread for each row of A, then one for each column.

__global__ void multiply_rows(const float* a, const float* x, float* product, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int column = 0; column < columns; ++column) {
    sum += a[row * columns + column] * x[column];
  }
  product[row] = sum;
}

__global__ void multiply_columns(const float* a, const float* product, float* y, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) {
    sum += a[row * columns + column] * product[row];
  }
  y[column] = sum;
}

#pragma hone kernel in(a[0 : rows * columns], x[0 : columns]) out(product[0 : rows], y[0 : columns]) \
    init(a : uniform(0, 1), x : uniform(0, 1)) problem(rows = 4096, columns = 4096)                  \
    problem(rows = 1021, columns = 773) tolerance(rtol = 1e-4)
void atax(const float* a, const float* x, float* product, float* y, int rows, int columns) {
  multiply_rows<<<(rows + 255) / 256, 256>>>(a, x, product, rows, columns);
  multiply_columns<<<(columns + 255) / 256, 256>>>(a, product, y, rows, columns);
}
