// kernel: relax
// verdict: right
// tries: a grid-stride loop on the stream that it is given
__global__ void step(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f * (y[i] + x[i]);
}
void relax(const float* x, float* y, int n, cudaStream_t stream) {
  step<<<528, 512, 0, stream>>>(x, y, n);
}
