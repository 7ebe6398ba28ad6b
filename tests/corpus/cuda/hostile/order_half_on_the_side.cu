// kernel: scale
// verdict: verify "not in the order of its caller's stream"
// tries: to do half of its work on a stream that nobody waits for
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
  const int half = n / 2;
  step<<<half / 256 + 1, 256>>>(x, y, half);
  step<<<(n - half) / 256 + 1, 256, 0, side>>>(x + half, y + half, n - half);
}
