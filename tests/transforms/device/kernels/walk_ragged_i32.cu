// A thread for each row, which ends where the row's first element says, and goes on where the last one was odd.
__global__ void ragged(const int* x, int* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int length = x[(size_t)row * n] * n / 10, carried = 1;
  for (size_t i = length; i-- > 0;) {
    if (x[(size_t)row * n + i] % 2 == 0) continue;
    carried = (carried * 3 + x[(size_t)row * n + i]) % 1021;
  }
  y[(size_t)row * n] = carried;
  for (int i = 1; i < n && i <= length + row; ++i) {
    carried = (carried * 5 + x[(size_t)row * n + i]) % 1021;
    y[(size_t)row * n + i] = carried;
  }
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 800, n = 1024)
void walk_ragged_i32(const int* x, int* y, int rows, int n) { ragged<<<(rows + 127) / 128, 128>>>(x, y, rows, n); }
