// kernel: argmax
// verdict: verify
// tries: the place by whoever finds the largest value last: of equals any
__global__ void most_of(const float* x, unsigned* most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = __float_as_uint(x[i] + 0.0f);
  atomicMax(most, bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u));
}
__global__ void place_of(const float* x, const unsigned* most, int* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = __float_as_uint(x[i] + 0.0f);
  if ((bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) == *most) atomicExch(best, i);
}
void argmax(const float* x, int* best, int n) {
  unsigned* most;
  cudaMallocAsync(&most, 4, 0);
  cudaMemsetAsync(most, 0, 4);
  cudaMemsetAsync(best, 0xff, 4);
  if (n > 0) most_of<<<(n + 255) / 256, 256>>>(x, most, n);
  if (n > 0) place_of<<<(n + 255) / 256, 256>>>(x, most, best, n);
  cudaFreeAsync(most, 0);
}
