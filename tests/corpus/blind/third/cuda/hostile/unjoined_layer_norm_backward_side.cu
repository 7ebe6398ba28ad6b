// kernel: layer_norm_backward
// tries: the gradients of gain and shift beside that of the input on a second stream that waits for s, but s never waits for it; wrong for every caller that goes on in s (a copy of dgain or dshift in s, a cudaStreamSynchronize(s)), seen where the column kernel is the longer one (many rows, few columns)
#include <cuda_bf16.h>

static __global__ void __launch_bounds__(256) rows_gradient(const __nv_bfloat16* __restrict__ dy,
                                                     const __nv_bfloat16* __restrict__ x,
                                                     const float* __restrict__ gain, const float* __restrict__ mean,
                                                     const float* __restrict__ rstd, __nv_bfloat16* __restrict__ dx,
                                                     int columns) {
  __shared__ float2 shared[8];
  size_t row = blockIdx.x;
  float m = mean[row], r = rstd[row];
  float a = 0.0f, b = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float g = __bfloat162float(dy[row * columns + c]) * gain[c];
    a += g;
    b += g * ((__bfloat162float(x[row * columns + c]) - m) * r);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    a += __shfl_xor_sync(0xffffffffu, a, distance);
    b += __shfl_xor_sync(0xffffffffu, b, distance);
  }
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = make_float2(a, b);
  }
  __syncthreads();
  a = b = 0.0f;
  for (int w = 0; w < 8; ++w) {
    a += shared[w].x;
    b += shared[w].y;
  }
  a /= columns;
  b /= columns;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float g = __bfloat162float(dy[row * columns + c]) * gain[c];
    float h = (__bfloat162float(x[row * columns + c]) - m) * r;
    dx[row * columns + c] = __float2bfloat16(r * (g - a - h * b));
  }
}

static __global__ void columns_gradient(const __nv_bfloat16* __restrict__ dy, const __nv_bfloat16* __restrict__ x,
                                 const float* __restrict__ mean, const float* __restrict__ rstd,
                                 float* __restrict__ dgain, float* __restrict__ dshift, int rows, int columns) {
  __shared__ float gs[32][33], ss[32][33];
  int c = blockIdx.x * 32 + threadIdx.x;
  float g = 0.0f, s = 0.0f;
  if (c < columns) {
    for (int row = threadIdx.y; row < rows; row += 32) {
      float d = __bfloat162float(dy[(size_t)row * columns + c]);
      g += d * (__bfloat162float(x[(size_t)row * columns + c]) - mean[row]) * rstd[row];
      s += d;
    }
  }
  gs[threadIdx.y][threadIdx.x] = g;
  ss[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  g = gs[threadIdx.x][threadIdx.y];
  s = ss[threadIdx.x][threadIdx.y];
  for (int distance = 16; distance > 0; distance /= 2) {
    g += __shfl_xor_sync(0xffffffffu, g, distance);
    s += __shfl_xor_sync(0xffffffffu, s, distance);
  }
  c = blockIdx.x * 32 + threadIdx.y;
  if (threadIdx.x == 0 && c < columns) {
    dgain[c] = g;
    dshift[c] = s;
  }
}

void layer_norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* gain, const float* mean,
                         const float* rstd, __nv_bfloat16* dx, float* dgain, float* dshift, int rows, int columns,
                         cudaStream_t s) {
  if (columns == 0) return;
  cudaStream_t side;
  cudaEvent_t ready;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventRecord(ready, s);
  cudaStreamWaitEvent(side, ready, 0);
  columns_gradient<<<(columns + 31) / 32, dim3(32, 32), 0, side>>>(dy, x, mean, rstd, dgain, dshift, rows, columns);
  if (rows > 0) {
    rows_gradient<<<rows, 256, 0, s>>>(dy, x, gain, mean, rstd, dx, columns);
  }
  cudaEventDestroy(ready);
  cudaStreamDestroy(side);  // returns at once; what was launched still runs to its end
}
