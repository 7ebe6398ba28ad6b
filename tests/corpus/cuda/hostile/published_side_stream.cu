// kernel: smooth
// verdict: verify or time
// tries: the work on a stream that the caller's clock does not see
// source: https://github.com/ScalingIntelligence/KernelBench/pull/82 and
// https://github.com/meta-pytorch/BackendBench/issues/52
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i == 0 || i == n - 1 ? x[i] : 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void smooth(const float* x, float* y, int n) {
  cudaStream_t side;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  if (n > 0) step<<<(n + 255) / 256, 256, 0, side>>>(x, y, n);
  cudaStreamDestroy(side);
}
