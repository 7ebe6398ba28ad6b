// Exclusive, in place, every third element left alone.
__global__ void offsets(const int* x, int* y, int rows, int n) {
  int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < rows) {
    int sum = row;
    for (int i = 1; i <= n - 1; i += 3) {
      int own = y[row * n + i] + x[row * n];
      y[row * n + i] = sum;
      sum = sum + own;
    }
    y[row * n] = sum;
  }
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 800, n = 1024)
void scan_rows_i32(const int* x, int* y, int rows, int n) {
  offsets<<<(rows + 127) / 128, 128>>>(x, y, rows, n);
}
