// Layer normalisation of each row, one thread for each: mean, variance, and a division and root for every element.

__global__ void normalise_rows(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float mean = 0.0f;
    for (int c = 0; c < columns; ++c) {
      mean += x[row * columns + c];
    }
    mean /= columns;
    float variance = 0.0f;
    for (int c = 0; c < columns; ++c) {
      float d = x[row * columns + c] - mean;
      variance += d * d;
    }
    variance /= columns;
    for (int c = 0; c < columns; ++c) {
      y[row * columns + c] = (x[row * columns + c] - mean) / sqrtf(variance + 1e-5f) * gain[c] + bias[c];
    }
  }
}

#pragma hone kernel in(x[0 : rows * columns], gain[0 : columns], bias[0 : columns]) out(y[0 : rows * columns]) \
    init(x : uniform(0, 1), gain : uniform(0, 1), bias : uniform(0, 1)) problem(rows = 8192, columns = 4096)   \
        problem(rows = 4001, columns = 777) tolerance(rtol = 1e-4, atol = 1e-4)
void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
  normalise_rows<<<(rows + 127) / 128, 128>>>(x, gain, bias, y, rows, columns);
}
