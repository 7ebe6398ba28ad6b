// Symmetric quantization of activations to 8 bits with a scale for each row. An element that is no number counts for
// nothing and becomes 0. One block for each row.

__global__ void quantize_row(const float* x, signed char* q, float* scales, int columns) {
  __shared__ float largest[256];
  size_t row = blockIdx.x;
  float own = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 256) {
    own = fmaxf(own, fabsf(x[row * columns + c]));  // ignores NaN
  }
  largest[threadIdx.x] = own;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + half]);
    }
    __syncthreads();
  }
  float scale = largest[0] / 127.0f;
  if (threadIdx.x == 0) {
    scales[row] = scale;
  }
  for (int c = threadIdx.x; c < columns; c += 256) {
    float v = scale > 0.0f ? rintf(x[row * columns + c] / scale) : 0.0f;
    v = isnan(v) ? 0.0f : fminf(fmaxf(v, -127.0f), 127.0f);
    q[row * columns + c] = (signed char)v;
  }
}

#pragma hone kernel in(x[0 : (size_t)rows * columns]) out(q[0 : (size_t)rows * columns], scales[0 : rows]) \
    problem(rows = 3000, columns = 2048) problem(rows = 13, columns = 777)
void quantize_rows(const float* x, signed char* q, float* scales, int rows, int columns) {
  if (rows == 0) return;
  quantize_row<<<rows, 256>>>(x, q, scales, columns);
}
