// kernel: compact
// verdict: right
// tries: sums of blocks first, then ballots of warps
__global__ void count(const float* x, int* sums, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int passing = __syncthreads_count(i < n && x[i] > 0);
  if (threadIdx.x == 0) sums[blockIdx.x] = passing;
}
__global__ void add(int* sums, int blocks) {
  int total = 0;
  for (int b = 0; b < blocks; ++b) {
    const int own = sums[b];
    sums[b] = total;
    total += own;
  }
}
__global__ void write(const float* x, const int* sums, int* place, int n) {
  __shared__ int warps[8];
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool passes = i < n && x[i] > 0;
  const unsigned votes = __ballot_sync(0xffffffffu, passes);
  if (lane == 0) warps[warp] = __popc(votes);
  __syncthreads();
  int base = sums[blockIdx.x];
  for (int k = 0; k < warp; ++k) base += warps[k];
  if (i < n) place[i] = passes ? base + __popc(votes & ((1u << lane) - 1)) : -1;
}
void compact(const float* x, int* place, int n) {
  if (n <= 0) return;
  const int blocks = (n + 255) / 256;
  int* sums;
  cudaMallocAsync(&sums, sizeof(int) * blocks, 0);
  count<<<blocks, 256>>>(x, sums, n);
  add<<<1, 1>>>(sums, blocks);
  write<<<blocks, 256>>>(x, sums, place, n);
  cudaFreeAsync(sums, 0);
}
