// PolyBench's fdtd-2d: an electromagnetic wave in the plane. Three kernels a step, one thread for each cell; `source`
// is the field at the upper border.

__global__ void step_ey(const float* source, float* ey, const float* hz, int step, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  if (row == 0) {
    ey[column] = source[step];
  } else {
    ey[row * columns + column] -= 0.5f * (hz[row * columns + column] - hz[(row - 1) * columns + column]);
  }
}

__global__ void step_ex(float* ex, const float* hz, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column >= 1 && column < columns) {
    ex[row * columns + column] -= 0.5f * (hz[row * columns + column] - hz[row * columns + column - 1]);
  }
}

__global__ void step_hz(const float* ex, const float* ey, float* hz, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows - 1 && column < columns - 1) {
    hz[row * columns + column] -= 0.7f * (ex[row * columns + column + 1] - ex[row * columns + column] +
                                          ey[(row + 1) * columns + column] - ey[row * columns + column]);
  }
}

#pragma hone kernel in(source[0 : steps])                                                          \
    inout(ex[0 : rows * columns], ey[0 : rows * columns], hz[0 : rows * columns])                  \
    problem(steps = 20, rows = 2048, columns = 2048) problem(steps = 7, rows = 501, columns = 333) \
    tolerance(rtol = 1e-4)
void fdtd_2d(const float* source, float* ex, float* ey, float* hz, int steps, int rows, int columns) {
  dim3 block(32, 8);
  dim3 grid((columns + 31) / 32, (rows + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    step_ey<<<grid, block>>>(source, ey, hz, step, rows, columns);
    step_ex<<<grid, block>>>(ex, hz, rows, columns);
    step_hz<<<grid, block>>>(ex, ey, hz, rows, columns);
  }
}
