// Exclusive and in place: the sums of tiles have no place of their own.
__global__ void offsets(const int* x, int* y, int total) {
  if (threadIdx.x == 0) {
    int first = x[0];
    int sum = first;
    for (int at = 0; at <= total - 1; at++) {
      int count = y[at];
      y[at] = sum;
      sum += count;
    }
  }
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 1, n = 100000)
void scan_thread_i32(const int* x, int* y, int rows, int n) {
  offsets<<<1, 64>>>(x, y, rows * n);
}
