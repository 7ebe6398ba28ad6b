// Inclusive sums of integers within rows of 256, each row one block.

__global__ void scan_row(const int* x, int* y, int n) {
  __shared__ int sums[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (i < n) y[i] = sums[t];
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) init(x : uniform(-1000, 1000)) problem(n = 300000) problem(n = 70001)
void segment_scan(const int* x, int* y, int n) {
  if (n > 0) scan_row<<<(n + 255) / 256, 256>>>(x, y, n);
}
