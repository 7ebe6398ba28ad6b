// kernel: argmax
// verdict: verify
// tries: value and place in one word for atomicMax: of equals the higher place wins
__global__ void step(const float* x, unsigned long long* room, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = __float_as_uint(x[i] + 0.0f);
  bits ^= bits >> 31 ? 0xffffffffu : 0x80000000u;
  atomicMax(room, (unsigned long long)bits << 32 | (unsigned)i);
}
__global__ void finish(const unsigned long long* room, int* best, int n) {
  *best = n > 0 ? (int)(*room & 0xffffffffu) : -1;
}
void argmax(const float* x, int* best, int n) {
  unsigned long long* room;
  cudaMallocAsync(&room, 8, 0);
  cudaMemsetAsync(room, 0, 8);
  if (n > 0) step<<<(n + 255) / 256, 256>>>(x, room, n);
  finish<<<1, 1>>>(room, best, n);
  cudaFreeAsync(room, 0);
}
