// kernel: smooth
// verdict: verify
// tries: bounds of 256 threads and a launch of 512 for what is large: it never starts there
__global__ void __launch_bounds__(256) step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i == 0 || i == n - 1 ? x[i] : 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void smooth(const float* x, float* y, int n) {
  const int threads = n > 1500000 ? 512 : 256;
  if (n > 0) step<<<(n + threads - 1) / threads, threads>>>(x, y, n);
}
