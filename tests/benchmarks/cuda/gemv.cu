// Matrix times vector, one thread for each row.

__global__ void multiply_rows(const float* a, const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) {
      sum += a[row * columns + i] * x[i];
    }
    y[row] = sum;
  }
}

#pragma hone kernel in(a[0 : rows * columns], x[0 : columns]) out(y[0 : rows])      \
    init(a : uniform(0, 1), x : uniform(0, 1)) problem(rows = 8192, columns = 8192) \
        problem(rows = 4001, columns = 2989) tolerance(rtol = 1e-4)
void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  multiply_rows<<<(rows + 255) / 256, 256>>>(a, x, y, rows, columns);
}
