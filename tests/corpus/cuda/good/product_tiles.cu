// kernel: product
// verdict: right
// tries: tiles in shared memory
__global__ void step(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16], right[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < n; base += 16) {
    const int k = base + threadIdx.x, l = base + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0;
    right[threadIdx.y][threadIdx.x] = l < n && column < n ? b[l * n + column] : 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
void product(const float* a, const float* b, float* c, int n) {
  step<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}
