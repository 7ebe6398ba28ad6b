// kernel: axpy
// verdict: verify
// tries: the block's number in 16 bits: beyond 8388608 elements the first get their share twice
__global__ void step(const float* x, float* y, int n, float alpha) {
  const unsigned short block = blockIdx.x;
  const int i = block * 128 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n > 0) step<<<(n + 127) / 128, 128>>>(x, y, n, alpha);
}
