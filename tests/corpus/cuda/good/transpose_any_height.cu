// kernel: transpose
// verdict: right
// tries: rows along x of the grid, where there is room for two billion blocks
__global__ void step(const float* a, float* b, int h, int w) {
  const int y = blockIdx.x * 32 + threadIdx.x;
  if (y >= h) return;
  for (int x = threadIdx.y; x < w; x += 8) b[x * h + y] = a[y * w + x];
}
void transpose(const float* a, float* b, int h, int w) {
  if (h > 0 && w > 0) step<<<(h + 31) / 32, dim3(32, 8)>>>(a, b, h, w);
}
