// The largest and the sum in one array, again and again for rows that a block takes in turn.
__global__ void share_of_largest(const double* x, double* y, int rows, int n) {
  __shared__ double s[128];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    double own = -1.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own = fmax(own, x[row * n + i]);
    s[threadIdx.x] = own;
    for (int d = 64; d >= 1; d = d / 2) {
      __syncthreads();
      if (threadIdx.x < d) s[threadIdx.x] = fmax(s[threadIdx.x], s[threadIdx.x + d]);
    }
    __syncthreads();
    const double largest = s[0];
    __syncthreads();
    own = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += x[row * n + i] / largest;
    s[threadIdx.x] = own;
    __syncthreads();
    for (int d = 64; d != 0; d >>= 1) {
      if (threadIdx.x < d) s[threadIdx.x] += s[d + threadIdx.x];
      __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[row * n + i] = x[row * n + i] / s[0];
    __syncthreads();
  }
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_maximum_f64(const double* x, double* y, int rows, int n) {
  const int blocks = rows < 7 ? rows : 7;
  share_of_largest<<<blocks, 128>>>(x, y, rows, n);
}
