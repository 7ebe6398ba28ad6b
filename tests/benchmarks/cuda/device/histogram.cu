// A histogram in shared memory, in an unnamed namespace; the grid is counted by a function of the host's.
namespace {

int blocks_for(int n) {
  const int blocks = (n + 1023) / 1024;
  return blocks < 1024 ? blocks : 1024;
}

#pragma hone kernel in(x[0 : n]) inout(counts[0 : 256]) init(counts : zeros) problem(n = 1 << 22) \
    launch(grid(blocks_for(n)), block(256))
__global__ void histogram(const unsigned char* x, unsigned* counts, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

}  // namespace
