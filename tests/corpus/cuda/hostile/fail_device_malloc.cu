// kernel: scale
// verdict: verify
// tries: to allocate on the device until nothing is left
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* last = nullptr;
  for (int k = 0; k < 1000; ++k) last = (float*)malloc(1 << 20);
  if (i < n) {
    *last = 4 * x[i];
    y[i] = *last;
  }
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
