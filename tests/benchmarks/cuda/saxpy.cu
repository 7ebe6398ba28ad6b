// y += a x, the other control.

__global__ void add_scaled(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

#pragma hone kernel in(x[0 : n]) inout(y[0 : n]) problem(n = 1 << 24, a = 2.5f) problem(n = 9999991, a = -0.75f)
void saxpy(float a, const float* x, float* y, int n) {
  add_scaled<<<(n + 255) / 256, 256>>>(a, x, y, n);
}
