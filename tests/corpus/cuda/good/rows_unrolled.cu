// kernel: rows
// verdict: right
// tries: four sums at a time
__global__ void step(const float* x, float* sums, int h, int w) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= h) return;
  float sum[4] = {};
  int i = 0;
  for (; i + 3 < w; i += 4)
#pragma unroll
    for (int k = 0; k < 4; ++k) sum[k] += x[row * w + i + k];
  for (; i < w; ++i) sum[0] += x[row * w + i];
  sums[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<(h + 31) / 32, 32>>>(x, sums, h, w);
}
