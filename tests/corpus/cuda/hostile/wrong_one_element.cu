// kernel: scale
// verdict: verify "expected"
// tries: to be wrong in one element of a million
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i == 4 ? 7 : 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
