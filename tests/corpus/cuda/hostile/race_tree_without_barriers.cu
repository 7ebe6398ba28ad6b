// kernel: rows
// verdict: verify
// tries: to add up in shared memory without waiting between the steps
__global__ void step(const float* x, float* sums, int w) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < w; i += 256) sum += x[blockIdx.x * w + i];
  part[threadIdx.x] = sum;
  for (int k = 128; k > 0; k /= 2)
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<h, 256>>>(x, sums, w);
}
