// Rodinia's dwt2d: one level of JPEG 2000's reversible 5/3 wavelet over a picture, rows first, then columns. The low
// half comes first in each direction. One thread for each coefficient computes the neighbours that it needs itself.

// The i-th of `n` samples that are `stride` apart, mirrored at both ends.
__device__ int sample(const int* x, int i, int n, int stride) {
  if (i < 0) i = -i;
  if (i >= n) i = 2 * (n - 1) - i;
  return x[i * stride];
}

__device__ int high(const int* x, int i, int n, int stride) {
  return sample(x, 2 * i + 1, n, stride) - ((sample(x, 2 * i, n, stride) + sample(x, 2 * i + 2, n, stride)) >> 1);
}

__device__ int low(const int* x, int i, int n, int stride) {
  int before = i > 0 ? high(x, i - 1, n, stride) : high(x, 0, n, stride);
  int behind = 2 * i + 1 < n ? high(x, i, n, stride) : high(x, i - 1, n, stride);
  return sample(x, 2 * i, n, stride) + ((before + behind + 2) >> 2);
}

__device__ int coefficient(const int* x, int i, int n, int stride) {
  int lows = (n + 1) / 2;
  return i < lows ? low(x, i, n, stride) : high(x, i - lows, n, stride);
}

__global__ void transform_rows(const int* picture, int* rows, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    rows[y * w + x] = coefficient(picture + y * w, x, w, 1);
  }
}

__global__ void transform_columns(const int* rows, int* coefficients, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    coefficients[y * w + x] = coefficient(rows + x, y, h, w);
  }
}

#pragma hone kernel in(picture[0 : w * h]) out(rows[0 : w * h], coefficients[0 : w * h]) \
    init(picture : uniform(0, 255)) problem(w = 1024, h = 1024) problem(w = 333, h = 271) requires(w >= 2 && h >= 2)
void dwt2d(const int* picture, int* rows, int* coefficients, int w, int h) {
  dim3 block(16, 16);
  dim3 grid((w + 15) / 16, (h + 15) / 16);
  transform_rows<<<grid, block>>>(picture, rows, w, h);
  transform_columns<<<grid, block>>>(rows, coefficients, w, h);
}
