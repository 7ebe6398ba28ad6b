// kernel: rows
// verdict: right
// tries: a tree in shared memory, with its barriers
__global__ void step(const float* x, float* sums, int h, int w) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < w; i += 256) sum += x[blockIdx.x * w + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<h, 256>>>(x, sums, h, w);
}
