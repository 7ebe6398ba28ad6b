// kernel: rows
// verdict: verify
// tries: all lanes in the mask, though some have left: what a lane that has left gives is not defined
__global__ void step(const float* x, float* sums, int h, int w) {
  const int row = blockIdx.x, lane = threadIdx.x;
  if (lane >= w) return;
  float sum = 0;
  for (int i = lane; i < w; i += 32) sum += x[row * w + i];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
  if (lane == 0) sums[row] = sum;
}
void rows(const float* x, float* sums, int h, int w) {
  if (h > 0 && w > 0)
    step<<<h, 32>>>(x, sums, h, w);
  else if (h > 0)
    cudaMemsetAsync(sums, 0, h * sizeof(float));
}
