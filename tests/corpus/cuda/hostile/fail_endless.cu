// kernel: scale
// verdict: verify "did not end within"
// tries: never to end
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (clock64() != 0) __nanosleep(100);
  y[i] = x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
