// kernel: argmax
// verdict: right
// tries: value and place in one word, the place turned round so that the lower one wins
__global__ void step(const float* x, unsigned long long* room, int n) {
  unsigned long long own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = x[i] == 0 ? 0.0f : x[i];
    unsigned bits = __float_as_uint(v);
    bits ^= bits >> 31 ? 0xffffffffu : 0x80000000u;
    const unsigned long long key = (unsigned long long)bits << 32 | ~(unsigned)i;
    own = key > own ? key : own;
  }
  for (int s = 16; s > 0; s /= 2) {
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, own, s);
    own = other > own ? other : own;
  }
  if (threadIdx.x % 32 == 0 && own) atomicMax(room, own);
}
__global__ void finish(const unsigned long long* room, int* best, int n) {
  *best = n > 0 ? (int)~(unsigned)*room : -1;
}
void argmax(const float* x, int* best, int n) {
  unsigned long long* room;
  cudaMallocAsync(&room, 8, 0);
  cudaMemsetAsync(room, 0, 8);
  step<<<264, 256>>>(x, room, n);
  finish<<<1, 1>>>(room, best, n);
  cudaFreeAsync(room, 0);
}
