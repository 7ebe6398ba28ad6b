// kernel: transpose
// verdict: verify
// tries: pairs of a row where w is even, though a itself need not be aligned to eight bytes
__global__ void step(const float* a, float* b, int h, int w) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  if (w % 2 == 0) {
    const float2 pair = *(const float2*)(a + y * w + x);
    b[x * h + y] = pair.x;
    b[(x + 1) * h + y] = pair.y;
  } else {
    b[x * h + y] = a[y * w + x];
    if (x + 1 < w) b[(x + 1) * h + y] = a[y * w + x + 1];
  }
}
void transpose(const float* a, float* b, int h, int w) {
  if (h > 0 && w > 0) step<<<dim3((w + 31) / 32, (h + 15) / 16), dim3(16, 16)>>>(a, b, h, w);
}
