// A floating scalar that the problem sets, and an array that is read and written.
__global__ void add_scaled(const float* x, float* y, int n, float alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(x, y, n, alpha);
}
