// Four times a vector, by way of a sum that the compiler must keep.
__global__ void add_up(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int k = 0; k < 128; ++k) sum = sum + x[i] * 0.03125f;
  y[i] = sum;
}
void scale(const float* x, float* y, int n) {
  add_up<<<(n + 255) / 256, 256>>>(x, y, n);
}
