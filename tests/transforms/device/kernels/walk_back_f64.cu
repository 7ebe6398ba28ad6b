// A thread for each row: backwards in place, beside the neighbor, and forwards over what that left.
__global__ void there_and_back(const double* x, double* y, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double* own = x + (size_t)row * n;
  double carried = y[(size_t)row * n];
  for (int i = n - 1; i >= 0; --i) {
    size_t at = (size_t)row * n + i;
    if (own[i] < 0.3) {
      carried = own[i];
    } else {
      carried = own[i] + 0.5 * carried - (i + 1 < n ? 0.25 * own[i + 1] : 0.0);
    }
    y[at] += carried;
  }
  for (int i = 0; i < n; ++i) {
    carried = 0.5 * carried + y[(size_t)row * n + i];
    y[(size_t)row * n + i] = carried;
  }
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 800, n = 1024)
void walk_back_f64(const double* x, double* y, int rows, int n) {
  there_and_back<<<(rows + 127) / 128, 128>>>(x, y, rows, n);
}
