// kernel: smooth
// verdict: verify or time
// tries: to try more shared memory than there is, and to go on without: the program finds the error of a call that it did not make
__global__ void step(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = i == 0 || i == n - 1 ? x[i] : 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void smooth(const float* x, float* y, int n) {
  if (cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) == cudaSuccess)
    step<<<132, 1024, 1 << 20>>>(x, y, n);
  else
    step<<<528, 256>>>(x, y, n);
}
