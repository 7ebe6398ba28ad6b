// Softmax of each row, one thread for each: the largest, the exponentials and their sum, the division.

__global__ void softmax_rows(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* in = x + row * columns;
  float* out = y + row * columns;
  float largest = in[0];
  for (int c = 1; c < columns; ++c) {
    largest = fmaxf(largest, in[c]);
  }
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) {
    out[c] = expf(in[c] - largest);
    sum += out[c];
  }
  for (int c = 0; c < columns; ++c) {
    out[c] = out[c] / sum;
  }
}

#pragma hone kernel in(x[0 : rows * columns]) out(y[0 : rows * columns]) init(x : uniform(-4, 4)) \
    problem(rows = 8192, columns = 4096) problem(rows = 4001, columns = 777) tolerance(rtol = 1e-4)
void softmax(const float* x, float* y, int rows, int columns) {
  softmax_rows<<<(rows + 127) / 128, 128>>>(x, y, rows, columns);
}
