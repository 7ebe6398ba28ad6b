// kernel: axpy
// verdict: verify
// tries: four at a time where n is a multiple of four: of y + 1 the launch fails
__global__ void step(const float4* x, float4* y, int n, float alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = x[i], b = y[i];
  y[i] = make_float4(b.x + alpha * a.x, b.y + alpha * a.y, b.z + alpha * a.z, b.w + alpha * a.w);
}
__global__ void single(const float* x, float* y, int n, float alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n <= 0) return;
  if (n % 4 == 0)
    step<<<(n / 4 + 255) / 256, 256>>>((const float4*)x, (float4*)y, n / 4, alpha);
  else
    single<<<(n + 255) / 256, 256>>>(x, y, n, alpha);
}
