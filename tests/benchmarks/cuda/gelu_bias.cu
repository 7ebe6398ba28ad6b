// Bias and GELU (the approximation with tanh, as its paper writes it) of a layer's outputs, one thread for each.

__global__ void activate(const float* x, const float* bias, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) {
    float v = x[i] + bias[i % columns];
    y[i] = 0.5f * v * (1.0f + tanhf(sqrtf(2.0f / 3.14159265f) * (v + 0.044715f * powf(v, 3.0f))));
  }
}

#pragma hone kernel in(x[0 : rows * columns], bias[0 : columns]) out(y[0 : rows * columns]) init(x : uniform(-3, 3)) \
    problem(rows = 8192, columns = 4096) problem(rows = 2047, columns = 3001) tolerance(rtol = 1e-4, atol = 1e-5)
void gelu_bias(const float* x, const float* bias, float* y, int rows, int columns) {
  activate<<<(rows * columns + 255) / 256, 256>>>(x, bias, y, rows, columns);
}
