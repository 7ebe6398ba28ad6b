// kernel: rows
// verdict: right
// tries: a warp a row, added up by shuffles
__global__ void step(const float* x, float* sums, int h, int w) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= h) return;
  float sum = 0;
  for (int i = lane; i < w; i += 32) sum += x[row * w + i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
  if (lane == 0) sums[row] = sum;
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<(h + 7) / 8, 256>>>(x, sums, h, w);
}
