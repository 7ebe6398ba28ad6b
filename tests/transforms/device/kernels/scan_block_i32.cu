// One block goes through the pieces, one buffer, inclusive.
__global__ void pieces(const int* x, int* y, int n) {
  __shared__ int s[256];
  int carried = 7;
  for (int start = 0; start < n; start += blockDim.x) {
    int i = start + threadIdx.x;
    s[threadIdx.x] = i < n ? 3 * x[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
      int other = 0;
      if (threadIdx.x >= d) other = s[threadIdx.x - d];
      __syncthreads();
      s[threadIdx.x] += other;
      __syncthreads();
    }
    if (i < n) y[i] = s[threadIdx.x] + carried;
    carried += s[blockDim.x - 1];
    __syncthreads();
  }
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 1, n = 100000)
void scan_block_i32(const int* x, int* y, int rows, int n) {
  pieces<<<1, 256>>>(x, y, rows * n);
}
