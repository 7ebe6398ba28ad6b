// kernel: scale
// verdict: verify
// tries: to replay the launches of its first call
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  static cudaGraphExec_t made;
  static cudaStream_t side;
  if (!made) {
    cudaGraph_t graph;
    cudaStreamCreate(&side);
    cudaStreamBeginCapture(side, cudaStreamCaptureModeThreadLocal);
    step<<<(n + 255) / 256, 256, 0, side>>>(x, y, n);
    cudaStreamEndCapture(side, &graph);
    cudaGraphInstantiate(&made, graph, 0);
  }
  cudaGraphLaunch(made, side);
}
