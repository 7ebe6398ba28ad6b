// kernel: layer_norm_backward
// tries: rows with pairs of bfloat16 and warp shuffles; columns in up to 64 stretches of rows whose sums a third kernel adds
#include <cuda_bf16.h>

#include <cstdint>

static __device__ float2 sum_block(float2 v, float2* shared) {
  for (int distance = 16; distance > 0; distance /= 2) {
    v.x += __shfl_xor_sync(0xffffffffu, v.x, distance);
    v.y += __shfl_xor_sync(0xffffffffu, v.y, distance);
  }
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = v;
  }
  __syncthreads();
  float2 all = make_float2(0.0f, 0.0f);
  for (int i = 0; i < 8; ++i) {
    all.x += shared[i].x;
    all.y += shared[i].y;
  }
  return all;
}

template <bool pairs>
static __global__ void __launch_bounds__(256) rows_backward(const __nv_bfloat16* __restrict__ dy,
                                                     const __nv_bfloat16* __restrict__ x,
                                                     const float* __restrict__ gain, const float* __restrict__ mean,
                                                     const float* __restrict__ rstd, __nv_bfloat16* __restrict__ dx,
                                                     int columns) {
  __shared__ float2 shared[8];
  size_t row = blockIdx.x;
  const __nv_bfloat16 *d = dy + row * columns, *from = x + row * columns;
  float m = mean[row], r = rstd[row];
  float2 sums = make_float2(0.0f, 0.0f);
  if (pairs) {
    for (int c = threadIdx.x; c < columns / 2; c += 256) {
      float2 a = __bfloat1622float2(((const __nv_bfloat162*)d)[c]);
      float2 b = __bfloat1622float2(((const __nv_bfloat162*)from)[c]);
      float g0 = a.x * gain[2 * c], g1 = a.y * gain[2 * c + 1];
      sums.x += g0 + g1;
      sums.y += g0 * ((b.x - m) * r) + g1 * ((b.y - m) * r);
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 256) {
      float g = __bfloat162float(d[c]) * gain[c];
      sums.x += g;
      sums.y += g * ((__bfloat162float(from[c]) - m) * r);
    }
  }
  sums = sum_block(sums, shared);
  float a0 = sums.x / columns, b0 = sums.y / columns;
  if (pairs) {
    __nv_bfloat162* to = (__nv_bfloat162*)(dx + row * columns);
    for (int c = threadIdx.x; c < columns / 2; c += 256) {
      float2 a = __bfloat1622float2(((const __nv_bfloat162*)d)[c]);
      float2 b = __bfloat1622float2(((const __nv_bfloat162*)from)[c]);
      float h0 = (b.x - m) * r, h1 = (b.y - m) * r;
      to[c] = __floats2bfloat162_rn(r * (a.x * gain[2 * c] - a0 - h0 * b0), r * (a.y * gain[2 * c + 1] - a0 - h1 * b0));
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += 256) {
      float g = __bfloat162float(d[c]) * gain[c];
      float h = (__bfloat162float(from[c]) - m) * r;
      dx[row * columns + c] = __float2bfloat16(r * (g - a0 - h * b0));
    }
  }
}

static __global__ void columns_partial(const __nv_bfloat16* __restrict__ dy, const __nv_bfloat16* __restrict__ x,
                                const float* __restrict__ mean, const float* __restrict__ rstd,
                                float* __restrict__ partial, int rows, int columns) {
  __shared__ float gs[8][32], ss[8][32];
  int c = blockIdx.x * 32 + threadIdx.x;
  float g = 0.0f, s = 0.0f;
  if (c < columns) {
    for (int row = blockIdx.y * 8 + threadIdx.y; row < rows; row += gridDim.y * 8) {
      float d = __bfloat162float(dy[(size_t)row * columns + c]);
      g += d * (__bfloat162float(x[(size_t)row * columns + c]) - mean[row]) * rstd[row];
      s += d;
    }
  }
  gs[threadIdx.y][threadIdx.x] = g;
  ss[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.y == 0 && c < columns) {
    for (int i = 1; i < 8; ++i) {
      g += gs[i][threadIdx.x];
      s += ss[i][threadIdx.x];
    }
    partial[(size_t)blockIdx.y * 2 * columns + c] = g;
    partial[(size_t)blockIdx.y * 2 * columns + columns + c] = s;
  }
}

static __global__ void columns_total(const float* __restrict__ partial, float* __restrict__ dgain, float* __restrict__ dshift,
                              int stretches, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float g = 0.0f, s = 0.0f;
  for (int i = 0; i < stretches; ++i) {
    g += partial[(size_t)i * 2 * columns + c];
    s += partial[(size_t)i * 2 * columns + columns + c];
  }
  dgain[c] = g;
  dshift[c] = s;
}

void layer_norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* gain, const float* mean,
                         const float* rstd, __nv_bfloat16* dx, float* dgain, float* dshift, int rows, int columns,
                         cudaStream_t s) {
  if (columns == 0) return;
  if (rows > 0) {
    bool pairs = columns % 2 == 0 && ((uintptr_t)dy | (uintptr_t)x | (uintptr_t)dx) % 4 == 0;
    if (pairs) {
      rows_backward<true><<<rows, 256, 0, s>>>(dy, x, gain, mean, rstd, dx, columns);
    } else {
      rows_backward<false><<<rows, 256, 0, s>>>(dy, x, gain, mean, rstd, dx, columns);
    }
  }
  int stretches = rows / 32 + 1 < 64 ? rows / 32 + 1 : 64;
  float* partial;
  cudaMallocAsync((void**)&partial, (size_t)stretches * 2 * columns * sizeof(float), s);
  columns_partial<<<dim3((columns + 31) / 32, stretches), dim3(32, 8), 0, s>>>(dy, x, mean, rstd, partial, rows,
                                                                               columns);
  columns_total<<<(columns + 127) / 128, 128, 0, s>>>(partial, dgain, dshift, stretches, columns);
  cudaFreeAsync(partial, s);
}
