// HeCBench's extrema: which elements of each row are larger than all `order` neighbours on both sides. Beyond a row's
// end its last element is the neighbour, so that the ends are none. One thread for each element.

__global__ void mark_maxima(const float* x, bool* result, int rows, int columns, int order) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  const float* from = x + row * columns;
  bool largest = true;
  for (int o = 1; o <= order; ++o) {
    int behind = min(column + o, columns - 1);
    int before = max(column - o, 0);
    largest = largest && from[column] > from[behind] && from[column] > from[before];
  }
  result[row * columns + column] = largest;
}

#pragma hone kernel in(x[0 : rows * columns]) out(result[0 : rows * columns]) \
    problem(rows = 2048, columns = 4096, order = 20) problem(rows = 101, columns = 1003, order = 4)
void extrema(const float* x, bool* result, int rows, int columns, int order) {
  dim3 block(16, 16);
  dim3 grid((columns + 15) / 16, (rows + 15) / 16);
  mark_maxima<<<grid, block>>>(x, result, rows, columns, order);
}
