// Neighbors first, in blocks of any size.
__global__ void sum_rows(const float* x, float* y, int n) {
  __shared__ float s[1024];
  int tid = threadIdx.x;
  s[tid] = x[blockIdx.x * n + tid];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (tid % (2 * d) == 0 && tid + d < blockDim.x) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) y[blockIdx.x * n] = s[0];
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_neighbors_f32(const float* x, float* y, int rows, int n) {
  const int block = n < 1024 ? n : 1024;
  sum_rows<<<rows, block>>>(x, y, n);
}
