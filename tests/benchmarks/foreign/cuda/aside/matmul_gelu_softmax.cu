// KernelBench's Matmul_GELU_Softmax: a linear layer and GELU, one thread for each element; then the softmax of each row
// in place, one thread for each row.

__global__ void linear_gelu(const float* x, const float* weights, const float* bias, float* y, int batch,
                            int in_features, int out_features) {
  int out = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= batch || out >= out_features) return;
  float sum = bias[out];
  for (int in = 0; in < in_features; ++in) {
    sum += x[row * in_features + in] * weights[out * in_features + in];
  }
  y[row * out_features + out] = 0.5f * sum * (1.0f + erff(sum / sqrtf(2.0f)));
}

__global__ void softmax_rows(float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float* own = y + row * columns;
  float largest = -INFINITY;
  for (int c = 0; c < columns; ++c) {
    largest = fmaxf(largest, own[c]);
  }
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    own[c] = expf(own[c] - largest);
    sum += own[c];
  }
  for (int c = 0; c < columns; ++c) {
    own[c] = own[c] / sum;
  }
}

#pragma hone kernel in(x[0 : batch * in_features], weights[0 : out_features * in_features], bias[0 : out_features]) \
    out(y[0 : batch * out_features])                                                                                \
    init(x : uniform(0, 1), weights : uniform(-0.022, 0.022), bias : uniform(-0.022, 0.022))                        \
    problem(batch = 1024, in_features = 2048, out_features = 2048)                                                  \
    problem(batch = 127, in_features = 333, out_features = 251) tolerance(rtol = 1e-4)
void matmul_gelu_softmax(const float* x, const float* weights, const float* bias, float* y, int batch, int in_features,
                         int out_features) {
  dim3 block(16, 16);
  dim3 grid((out_features + 15) / 16, (batch + 15) / 16);
  linear_gelu<<<grid, block>>>(x, weights, bias, y, batch, in_features, out_features);
  softmax_rows<<<(batch + 127) / 128, 128>>>(y, batch, out_features);
}
