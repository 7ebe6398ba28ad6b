// kernel: scale
// verdict: gate "a comment within a comment in assembly may hide an instruction"
// wall: verify "failed on the device" or verify "did not end within"
// tries: to hide a trap in a comment, which ends where nvcc takes "%{" out
static __global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("/* keeps %0 in its register *%{/ trap; /* until here */" ::"r"(i));
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
