// kernel: layer_norm_backward
// tries: both sums of a row by one helper with warp shuffles and a shared array of one entry a warp; wrong (a race) on any input, rarely seen: the second sum's first writes may overtake a slow warp that still reads the first sum's entries
#include <cuda_bf16.h>

// The sum over the block of 1024 threads, in every thread.
static __device__ __forceinline__ float block_sum(float v, float* shared) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, distance);
  }
  if (lane == 0) {
    shared[warp] = v;
  }
  __syncthreads();
  v = shared[lane];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, distance);
  }
  return v;
}

static __global__ void __launch_bounds__(1024) rows_in_registers(const __nv_bfloat16* __restrict__ dy,
                                                          const __nv_bfloat16* __restrict__ x,
                                                          const float* __restrict__ gain,
                                                          const float* __restrict__ mean,
                                                          const float* __restrict__ rstd,
                                                          __nv_bfloat16* __restrict__ dx, int columns) {
  __shared__ float shared[32];
  size_t row = blockIdx.x;
  float m = mean[row], r = rstd[row];
  float g[4], h[4], own = 0.0f, product = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int c = threadIdx.x + 1024 * i;
    g[i] = c < columns ? __bfloat162float(dy[row * columns + c]) * gain[c] : 0.0f;
    h[i] = c < columns ? (__bfloat162float(x[row * columns + c]) - m) * r : 0.0f;
    own += g[i];
    product += g[i] * h[i];
  }
  for (int c = threadIdx.x + 4096; c < columns; c += 1024) {
    float more = __bfloat162float(dy[row * columns + c]) * gain[c];
    own += more;
    product += more * ((__bfloat162float(x[row * columns + c]) - m) * r);
  }
  float a = block_sum(own, shared) / columns;
  float b = block_sum(product, shared) / columns;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int c = threadIdx.x + 1024 * i;
    if (c < columns) dx[row * columns + c] = __float2bfloat16(r * (g[i] - a - h[i] * b));
  }
  for (int c = threadIdx.x + 4096; c < columns; c += 1024) {
    float more = __bfloat162float(dy[row * columns + c]) * gain[c];
    float hat = (__bfloat162float(x[row * columns + c]) - m) * r;
    dx[row * columns + c] = __float2bfloat16(r * (more - a - hat * b));
  }
}

static __global__ void add_columns(const __nv_bfloat16* __restrict__ dy, const __nv_bfloat16* __restrict__ x,
                            const float* __restrict__ mean, const float* __restrict__ rstd, float* __restrict__ dgain,
                            float* __restrict__ dshift, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float g = 0.0f, s = 0.0f;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    float d = __bfloat162float(dy[(size_t)row * columns + c]);
    g += d * (__bfloat162float(x[(size_t)row * columns + c]) - mean[row]) * rstd[row];
    s += d;
  }
  atomicAdd(&dgain[c], g);
  atomicAdd(&dshift[c], s);
}

void layer_norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* gain, const float* mean,
                         const float* rstd, __nv_bfloat16* dx, float* dgain, float* dshift, int rows, int columns,
                         cudaStream_t s) {
  if (columns == 0) return;
  cudaMemsetAsync(dgain, 0, columns * sizeof(float), s);
  cudaMemsetAsync(dshift, 0, columns * sizeof(float), s);
  if (rows == 0) return;
  rows_in_registers<<<rows, 1024, 0, s>>>(dy, x, gain, mean, rstd, dx, columns);
  add_columns<<<dim3((columns + 127) / 128, rows < 64 ? rows : 64), 128, 0, s>>>(dy, x, mean, rstd, dgain, dshift, rows,
                                                                                columns);
}
