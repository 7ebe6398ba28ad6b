// kernel: scale
// verdict: right
// tries: vectors of four where they are aligned, and a tail
__global__ void plain(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    const float4 v = ((const float4*)x)[i];
    ((float4*)y)[i] = make_float4(4 * v.x, 4 * v.y, 4 * v.z, 4 * v.w);
  } else {
    for (int k = 4 * i; k < n; ++k) y[k] = 4 * x[k];
  }
}
void scale(const float* x, float* y, int n) {
  if ((((size_t)x | (size_t)y) & 15) == 0)
    step<<<n / 1024 + 1, 256>>>(x, y, n);
  else
    plain<<<(n + 255) / 256, 256>>>(x, y, n);
}
