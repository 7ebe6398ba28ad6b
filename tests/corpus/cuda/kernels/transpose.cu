// Rows become columns.
__global__ void turn(const float* a, float* b, int h, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
void transpose(const float* a, float* b, int h, int w) {
  if (h > 0 && w > 0) turn<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, h, w);
}
