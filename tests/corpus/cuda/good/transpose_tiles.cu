// kernel: transpose
// verdict: right
// tries: tiles of 32 in shared memory with a column to spare
__global__ void step(const float* a, float* b, int h, int w) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int k = threadIdx.y; k < 32; k += 8)
    if (x < w && y + k < h) tile[k][threadIdx.x] = a[(y + k) * w + x];
  __syncthreads();
  const int column = y + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8)
    if (column < h && blockIdx.x * 32 + k < w) b[(blockIdx.x * 32 + k) * h + column] = tile[threadIdx.x][k];
}
void transpose(const float* a, float* b, int h, int w) {
  if (h > 0 && w > 0) step<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(a, b, h, w);
}
