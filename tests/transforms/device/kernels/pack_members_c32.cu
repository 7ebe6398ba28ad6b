// Complex numbers: members of small vectors.
__global__ void squares(const float2* x, float2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i].x = x[i].x * x[i].x - x[i].y * x[i].y;
  if (x[i].x > 0.5f) y[i].y = 2.0f * x[i].x * x[i].y;
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 100, n = 1000)
void pack_members_c32(const float2* x, float2* y, int rows, int n) {
  squares<<<(rows * n + 255) / 256, 256>>>(x, y, rows * n);
}
