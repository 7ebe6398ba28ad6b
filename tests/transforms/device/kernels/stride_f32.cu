__global__ void line(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i] + y[i];
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 100, n = 1000)
void stride_f32(const float* x, float* y, int rows, int n) {
  line<<<(rows * n + 255) / 256, 256>>>(x, y, rows * n);
}
