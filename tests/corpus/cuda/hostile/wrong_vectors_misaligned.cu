// kernel: scale
// verdict: verify "misaligned" or verify
// tries: to read vectors where they are not aligned
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
  step<<<n / 1024 + 1, 256>>>(x, y, n);
}
