// As CUDA by Example writes it.
__global__ void sum_rows(const int* x, int* y, int n) {
  __shared__ int cache[512];
  int index = threadIdx.x, own = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) own += x[blockIdx.x * n + i];
  cache[index] = own;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (index < i) cache[index] += cache[index + i];
    __syncthreads();
    i /= 2;
  }
  if (index == 0) y[blockIdx.x * n] = cache[0] + i;
}
#pragma hone kernel in(x [0:rows * n]) out(y [0:rows * n]) problem(rows = 8, n = 1024)
void tree_while_i32(const int* x, int* y, int rows, int n) {
  sum_rows<<<rows, 512>>>(x, y, n);
}
