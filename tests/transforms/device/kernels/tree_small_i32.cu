// One warp, and products modulo 2^32.
__global__ void products(const int* x, int* y, int n) {
  __shared__ unsigned s[32];
  int tid = threadIdx.x;
  s[tid] = tid < n ? 2 * x[blockIdx.x * n + tid] + 1 : 1;
  __syncthreads();
  for (int d = 1; d < 32; d <<= 1) {
    if ((tid & (2 * d - 1)) == 0) s[tid] *= s[tid + d];
    __syncthreads();
  }
  if (tid == 0) y[blockIdx.x * n] = s[0];
  __syncthreads();
  s[tid] = tid < n ? 2 * x[blockIdx.x * n + tid] + 3 : 1;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (d > tid) s[tid] = s[tid + d] * s[tid];
    __syncthreads();
  }
  if (tid == 0 && n > 1) y[blockIdx.x * n + 1] = s[0];
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_small_i32(const int* x, int* y, int rows, int n) {
  products<<<rows, 32>>>(x, y, n);
}
