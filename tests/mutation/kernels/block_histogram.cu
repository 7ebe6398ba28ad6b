// How often each of 64 classes occurs: counted in shared memory, added to the result at the end.

__global__ void count_classes(const int* x, int* counts, int n) {
  __shared__ int own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[x[i] & 63], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

#pragma hone kernel in(x[0 : n]) inout(counts[0 : 64]) problem(n = 300000) problem(n = 70001)
void block_histogram(const int* x, int* counts, int n) { count_classes<<<40, 128>>>(x, counts, n); }
