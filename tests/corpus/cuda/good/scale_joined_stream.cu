// kernel: scale
// verdict: gate "static state that can change"
// wall: right
// tries: a stream of its own, in order with its caller
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
  cudaEventRecord(event, 0);
  cudaStreamWaitEvent(side, event);
  step<<<(n + 255) / 256, 256, 0, side>>>(x, y, n);
  cudaEventRecord(event, side);
  cudaStreamWaitEvent(0, event);
}
