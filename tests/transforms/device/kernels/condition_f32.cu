// What memory holds decides about each item by itself.
__global__ void roots(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] > 0.5f) y[i] = sqrtf(x[i]);
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 100, n = 1000)
void condition_f32(const float* x, float* y, int rows, int n) {
  roots<<<(rows * n + 255) / 256, 256>>>(x, y, rows * n);
}
