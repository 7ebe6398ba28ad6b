// kernel: scale
// verdict: verify "not in the order of its caller's stream"
// tries: to begin before its caller is there
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  static cudaStream_t side;
  static cudaEvent_t event;
  if (!side) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  step<<<(n + 255) / 256, 256, 0, side>>>(x, y, n);
  cudaEventRecord(event, side);
  cudaStreamWaitEvent(0, event);
}
