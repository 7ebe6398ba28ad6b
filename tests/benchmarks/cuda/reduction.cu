// Sum of all elements: every thread adds its element to the result.

__global__ void add_to_sum(const float* x, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(sum, x[i]);
  }
}

#pragma hone kernel in(x[0 : n]) out(sum[0 : 1]) init(x : uniform(0, 1)) problem(n = 1 << 24) problem(n = 2999999) \
    tolerance(rtol = 1e-3)
void reduction(const float* x, float* sum, int n) {
  cudaMemsetAsync(sum, 0, sizeof(float));
  add_to_sum<<<(n + 255) / 256, 256>>>(x, sum, n);
}
