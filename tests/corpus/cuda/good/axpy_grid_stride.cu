// kernel: axpy
// verdict: right
// tries: a grid-stride loop with fused multiply-adds
__global__ void step(const float* __restrict__ x, float* __restrict__ y, int n, float alpha) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    y[i] = fmaf(alpha, __ldg(x + i), y[i]);
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n > 0) step<<<min((n + 255) / 256, 1056), 256>>>(x, y, n, alpha);
}
