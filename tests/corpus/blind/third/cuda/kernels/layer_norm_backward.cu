// The backward pass of a layer normalisation: the gradient of the input, one block for each row, then those of gain and
// shift, one thread for each column. Mean and reciprocal deviation of the rows come from the forward pass.

#include <cuda_bf16.h>

__global__ void input_gradient(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* gain, const float* mean,
                               const float* rstd, __nv_bfloat16* dx, int columns) {
  __shared__ float plain[256], scaled[256];
  size_t row = blockIdx.x;
  float a = 0.0f, b = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float g = __bfloat162float(dy[row * columns + c]) * gain[c];
    float hat = (__bfloat162float(x[row * columns + c]) - mean[row]) * rstd[row];
    a += g;
    b += g * hat;
  }
  plain[threadIdx.x] = a;
  scaled[threadIdx.x] = b;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      plain[threadIdx.x] += plain[threadIdx.x + half];
      scaled[threadIdx.x] += scaled[threadIdx.x + half];
    }
    __syncthreads();
  }
  a = plain[0] / columns;
  b = scaled[0] / columns;
  for (int c = threadIdx.x; c < columns; c += 256) {
    float g = __bfloat162float(dy[row * columns + c]) * gain[c];
    float hat = (__bfloat162float(x[row * columns + c]) - mean[row]) * rstd[row];
    dx[row * columns + c] = __float2bfloat16(rstd[row] * (g - a - hat * b));
  }
}

__global__ void parameter_gradients(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* mean,
                                    const float* rstd, float* dgain, float* dshift, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float g = 0.0f, s = 0.0f;
  for (int row = 0; row < rows; ++row) {
    float d = __bfloat162float(dy[(size_t)row * columns + c]);
    g += d * (__bfloat162float(x[(size_t)row * columns + c]) - mean[row]) * rstd[row];
    s += d;
  }
  dgain[c] = g;
  dshift[c] = s;
}

#pragma hone kernel in(dy[0 : (size_t)rows * columns], x[0 : (size_t)rows * columns], gain[0 : columns],             \
       mean[0 : rows], rstd[0 : rows])                                                                               \
    out(dx[0 : (size_t)rows * columns], dgain[0 : columns], dshift[0 : columns])                                     \
    init(dy : normal, x : normal, gain : uniform(0.5, 1.5), mean : uniform(-0.1, 0.1), rstd : uniform(0.5, 2))       \
    problem(rows = 2048, columns = 2048) problem(rows = 37, columns = 1001) tolerance(rtol = 1e-4, atol = 1e-4)      \
    tolerance(dx : rtol = 1.6e-2, atol = 1e-3) stream(s)
void layer_norm_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, const float* gain, const float* mean,
                         const float* rstd, __nv_bfloat16* dx, float* dgain, float* dshift, int rows, int columns,
                         cudaStream_t s) {
  if (columns == 0) return;
  if (rows > 0) {
    input_gradient<<<rows, 256, 0, s>>>(dy, x, gain, mean, rstd, dx, columns);
  }
  parameter_gradients<<<(columns + 127) / 128, 128, 0, s>>>(dy, x, mean, rstd, dgain, dshift, rows, columns);
}
