// A weighted mean over five neighbours of a signal, through a tile with a rim; the ends are held.

__global__ void smooth_tile(const float* x, float* y, int n) {
  __shared__ float tile[132];
  const int first = blockIdx.x * 128 - 2;
  for (int k = threadIdx.x; k < 132; k += 128) {
    int at = first + k;
    if (at < 0) at = 0;
    if (at > n - 1) at = n - 1;
    tile[k] = x[at];
  }
  __syncthreads();
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    const float* around = tile + threadIdx.x;
    y[i] = 0.0625f * (around[0] + around[4]) + 0.25f * (around[1] + around[3]) + 0.375f * around[2];
  }
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) init(x : uniform(-1, 1)) problem(n = 300000) problem(n = 70001)
void halo_smooth(const float* x, float* y, int n) {
  if (n > 0) smooth_tile<<<(n + 127) / 128, 128>>>(x, y, n);
}
