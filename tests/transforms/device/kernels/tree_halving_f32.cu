// One block a row, 256 threads, halves.
__global__ void sum_rows(const float* x, float* y, int n) {
  __shared__ float s[256];
  int tid = threadIdx.x;
  float own = 0.0f;
  for (int i = tid; i < n; i += blockDim.x) own += x[blockIdx.x * n + i];
  s[tid] = own;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (tid < d) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) y[blockIdx.x * n] = s[0];
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_halving_f32(const float* x, float* y, int rows, int n) {
  sum_rows<<<rows, 256>>>(x, y, n);
}
