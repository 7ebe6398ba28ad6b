// KernelBench's Max_Pooling_1D with padding and dilation: one thread for each element of the result.

// How many windows there are in a row.
#define WINDOWS(length, size, stride, padding, dilation) \
  (((length) + 2 * (padding) - (dilation) * ((size)-1) - 1) / (stride) + 1)

__global__ void pool_rows(const float* x, float* y, int rows, int length, int size, int stride, int padding,
                          int dilation) {
  int windows = WINDOWS(length, size, stride, padding, dilation);
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= rows * windows) return;
  int row = index / windows;
  int first = index % windows * stride - padding;
  float largest = -INFINITY;
  for (int k = 0; k < size; ++k) {
    int at = first + k * dilation;
    if (at >= 0 && at < length) {
      largest = fmaxf(largest, x[row * length + at]);
    }
  }
  y[index] = largest;
}

#pragma hone kernel in(x[0 : rows * length]) out(y[0 : rows * WINDOWS(length, size, stride, padding, dilation)]) \
    problem(rows = 16 * 192, length = 2048, size = 8, stride = 1, padding = 4, dilation = 3)                     \
    problem(rows = 101, length = 333, size = 3, stride = 2, padding = 1, dilation = 1)                           \
    requires(size >= 1 && stride >= 1 && dilation >= 1 && padding >= 0 && 2 * padding <= size &&                 \
             length + 2 * padding > dilation * (size - 1))
void max_pooling_1d(const float* x, float* y, int rows, int length, int size, int stride, int padding, int dilation) {
  int elements = rows * WINDOWS(length, size, stride, padding, dilation);
  pool_rows<<<(elements + 255) / 256, 256>>>(x, y, rows, length, size, stride, padding, dilation);
}
