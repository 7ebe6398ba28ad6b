// Sum of two vectors, a control: each thread has one element, and the memory is what limits it.

__global__ void add_elements(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

#pragma hone kernel in(a[0 : n], b[0 : n]) out(c[0 : n]) problem(n = 1 << 24) problem(n = 9999991)
void vector_add(const float* a, const float* b, float* c, int n) {
  add_elements<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
