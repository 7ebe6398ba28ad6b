// Exclusive prefix sum: one block walks over the array, doubles its way through each piece in shared memory, and
// carries the sum to the next.

__global__ void scan_pieces(const float* x, float* y, int n) {
  __shared__ float sums[2][1024];
  int t = threadIdx.x;
  float carried = 0.0f;
  for (int start = 0; start < n; start += 1024) {
    int from = 0;
    float own = start + t < n ? x[start + t] : 0.0f;
    sums[from][t] = own;
    __syncthreads();
    for (int distance = 1; distance < 1024; distance *= 2) {
      sums[1 - from][t] = t >= distance ? sums[from][t] + sums[from][t - distance] : sums[from][t];
      from = 1 - from;
      __syncthreads();
    }
    if (start + t < n) {
      y[start + t] = t > 0 ? carried + sums[from][t - 1] : carried;
    }
    carried += sums[from][1023];
    __syncthreads();
  }
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) init(x : uniform(0, 1)) problem(n = 1 << 24) problem(n = 1000003) \
    tolerance(rtol = 1e-4)
void scan(const float* x, float* y, int n) {
  scan_pieces<<<1, 1024>>>(x, y, n);
}
