// Mean and standard deviation of every feature of a table: one row for each sample, rows `stride` apart. One thread
// walks down each column. Sums are in double precision: there may be many rows.

__global__ void column_moments_kernel(const float* x, float* mean, float* deviation, int rows, int columns,
                                      int stride) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) {
    return;
  }
  double sum = 0.0;
  for (int r = 0; r < rows; ++r) {
    sum += x[(size_t)r * stride + c];
  }
  float middle = (float)(sum / rows);
  double squares = 0.0;
  for (int r = 0; r < rows; ++r) {
    double away = x[(size_t)r * stride + c] - middle;
    squares += away * away;
  }
  mean[c] = middle;
  deviation[c] = (float)sqrt(squares / rows);
}

#pragma hone kernel in(x[0 : rows : stride][0 : columns]) out(mean[0 : columns], deviation[0 : columns]) \
    problem(rows = 8000, columns = 300, stride = 304) problem(rows = 1537, columns = 67, stride = 71) \
    requires(stride >= columns) tolerance(rtol = 1e-4) stream(s)
void column_moments(const float* x, float* mean, float* deviation, int rows, int columns, int stride,
                    cudaStream_t s) {
  if (columns == 0) {
    return;
  }
  column_moments_kernel<<<(columns + 127) / 128, 128, 0, s>>>(x, mean, deviation, rows, columns, stride);
}
