// kernel: scale
// verdict: right
// tries: a template of its block size
template <int block>
__global__ void step(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<512><<<(n + 511) / 512, 512>>>(x, y, n);
}
