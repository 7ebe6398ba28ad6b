// Stream compaction: the elements above a threshold, in their order, and how many they are. What lies behind them is
// left alone. One block walks over the array.

__global__ void compact_walk(const int* x, int* kept, int* count, int n, int threshold) {
  __shared__ int sums[1024];
  __shared__ int base;
  if (threadIdx.x == 0) {
    base = 0;
  }
  for (size_t from = 0; from < n; from += 1024) {
    size_t i = from + threadIdx.x;
    int value = i < n ? x[i] : 0;
    bool keep = i < n && value > threshold;
    sums[threadIdx.x] = keep;
    __syncthreads();
    for (int step = 1; step < 1024; step *= 2) {
      int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
      __syncthreads();
      sums[threadIdx.x] += before;
      __syncthreads();
    }
    if (keep) {
      kept[base + sums[threadIdx.x] - 1] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      base += sums[1023];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *count = base;
  }
}

#pragma hone kernel in(x[0 : n]) out(kept[0 : n], count[0 : 1]) problem(n = 2000000, threshold = 100) \
    problem(n = 4099, threshold = -500)
void compact_above(const int* x, int* kept, int* count, int n, int threshold) {
  compact_walk<<<1, 1024>>>(x, kept, count, n, threshold);
}
