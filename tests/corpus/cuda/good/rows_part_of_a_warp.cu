// kernel: rows
// verdict: right
// tries: a mask of the lanes that are there
__global__ void step(const float* x, float* sums, int h, int w) {
  const int row = blockIdx.x * 8 + threadIdx.y;
  const unsigned mask = 0xffffffffu;
  float sum = 0;
  if (row < h)
    for (int i = threadIdx.x; i < w; i += 32) sum += x[row * w + i];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(mask, sum, s);
  if (threadIdx.x == 0 && row < h) sums[row] = sum;
}
void rows(const float* x, float* sums, int h, int w) {
  if (h > 0) step<<<(h + 7) / 8, dim3(32, 8)>>>(x, sums, h, w);
}
