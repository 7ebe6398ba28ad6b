// kernel: softmax
// verdict: verify
// tries: exponentials as they are: a row with 100 in it is infinity by infinity
__global__ void step(const float* x, float* y, int h, int w) {
  const int row = blockIdx.x * 8 + threadIdx.y;
  if (row >= h) return;
  const float* from = x + (long long)row * w;
  float sum = 0;
  for (int i = threadIdx.x; i < w; i += 32) sum += expf(from[i]);
  for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
  for (int i = threadIdx.x; i < w; i += 32) y[(long long)row * w + i] = expf(from[i]) / sum;
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<(h + 7) / 8, dim3(32, 8)>>>(x, y, h, w);
}
