// Matrix transpose: rows are read, columns are written.

__global__ void transpose_elements(const float* a, float* b, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    b[column * rows + row] = a[row * columns + column];
  }
}

#pragma hone kernel in(a[0 : rows * columns]) out(b[0 : rows * columns]) problem(rows = 8192, columns = 4096) \
    problem(rows = 4003, columns = 3109)
void transpose(const float* a, float* b, int rows, int columns) {
  dim3 block(32, 8);
  dim3 grid((columns + 31) / 32, (rows + 7) / 8);
  transpose_elements<<<grid, block>>>(a, b, rows, columns);
}
