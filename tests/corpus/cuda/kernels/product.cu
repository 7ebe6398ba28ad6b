// A product of square matrices, a thread an element.
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
void product(const float* a, const float* b, float* c, int n) {
  multiply<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, c, n);
}
