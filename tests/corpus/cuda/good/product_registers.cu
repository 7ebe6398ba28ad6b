// kernel: product
// verdict: right
// tries: four sums a thread in registers
__global__ void step(const float* a, const float* b, float* c, int n) {
  __shared__ float left[64][17], right[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y;
  float sum[4] = {};
  for (int base = 0; base < n; base += 16) {
    for (int k = 0; k < 4; ++k)
      left[threadIdx.y + 16 * k][threadIdx.x] =
          y + 16 * k < n && base + threadIdx.x < n ? a[(y + 16 * k) * n + base + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] = base + threadIdx.y < n && x < n ? b[(base + threadIdx.y) * n + x] : 0;
    __syncthreads();
    for (int l = 0; l < 16; ++l)
      for (int k = 0; k < 4; ++k) sum[k] += left[threadIdx.y + 16 * k][l] * right[l][threadIdx.x];
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k)
    if (y + 16 * k < n && x < n) c[(y + 16 * k) * n + x] = sum[k];
}
void product(const float* a, const float* b, float* c, int n) {
  if (n > 0) step<<<dim3((n + 15) / 16, (n + 63) / 64), dim3(16, 16)>>>(a, b, c, n);
}
