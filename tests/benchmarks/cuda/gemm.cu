// Matrix product, one thread for each element of C. The first index of a thread is taken for the row, as in the
// formula, so that the threads of a warp walk down columns.

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += a[row * k + p] * b[p * n + column];
    }
    c[row * n + column] = sum;
  }
}

#pragma hone kernel in(a[0 : m * k], b[0 : k * n]) out(c[0 : m * n]) init(a : uniform(-1, 1), b : uniform(-1, 1)) \
    problem(m = 1024, n = 1024, k = 1024) problem(m = 1003, n = 517, k = 771) tolerance(rtol = 1e-4)
void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(16, 16);
  dim3 grid((m + 15) / 16, (n + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
