// Many small matrix products, one thread for each row of each result.

__global__ void multiply_small(const float* a, const float* b, float* c, int batch, int size) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= batch * size) return;
  int matrix = index / size;
  int row = index % size;
  const float* left = a + matrix * size * size;
  const float* right = b + matrix * size * size;
  float* product = c + matrix * size * size;
  for (int column = 0; column < size; ++column) {
    float sum = 0.0f;
    for (int p = 0; p < size; ++p) {
      sum += left[row * size + p] * right[p * size + column];
    }
    product[row * size + column] = sum;
  }
}

#pragma hone kernel in(a[0 : batch * size * size], b[0 : batch * size * size]) out(c[0 : batch * size * size]) \
    init(a : uniform(0, 1), b : uniform(0, 1)) problem(batch = 8192, size = 32) problem(batch = 4001, size = 27) \
        tolerance(rtol = 1e-4)
void batched_matmul(const float* a, const float* b, float* c, int batch, int size) {
  multiply_small<<<(batch * size + 127) / 128, 128>>>(a, b, c, batch, size);
}
