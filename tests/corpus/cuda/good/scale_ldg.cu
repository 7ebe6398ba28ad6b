// kernel: scale
// verdict: right
// tries: loads through the read-only cache
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) __stcs(&y[i], 4 * __ldg(&x[i]));
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
