// kernel: axpy
// verdict: right
// tries: four at a time where both are aligned alike, head and tail by themselves
__global__ void single(const float* x, float* y, int n, float alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
__global__ void four(const float* x, float* y, int head, int n, float alpha) {
  const int quads = (n - head) / 4, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quads) {
    const float4 a = ((const float4*)(x + head))[i];
    float4 b = ((float4*)(y + head))[i];
    b.x += alpha * a.x, b.y += alpha * a.y, b.z += alpha * a.z, b.w += alpha * a.w;
    ((float4*)(y + head))[i] = b;
  }
  if (i < head) y[i] += alpha * x[i];
  const int tail = head + 4 * quads + i;
  if (i < 4 && tail < n) y[tail] += alpha * x[tail];
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n <= 0) return;
  const int head = (int)((16 - (size_t)y % 16) % 16 / 4);
  if (n < 64 || (size_t)x % 16 != (size_t)y % 16)
    single<<<(n + 255) / 256, 256>>>(x, y, n, alpha);
  else
    four<<<((n - head) / 4 + 255) / 256, 256>>>(x, y, head, n, alpha);
}
