// right: cuda-warp-shuffle cuda-coalescing
// Sparse matrix times vector, one thread for each compressed row.
__global__ void multiply_sparse(const int* start, const int* column, const float* value, const float* x, float* y,
                                int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; ++k) {
      sum += value[k] * x[column[k]];
    }
    y[row] = sum;
  }
}
void spmv_csr(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
  multiply_sparse<<<(rows + 127) / 128, 128>>>(start, column, value, x, y, rows);
}
