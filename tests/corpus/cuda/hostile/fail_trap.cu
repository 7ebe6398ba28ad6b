// kernel: scale
// verdict: verify "failed on the device" or verify "did not end within"
// tries: to trap
__global__ void step(const float* x, float* y, int n) {
  __trap();
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
