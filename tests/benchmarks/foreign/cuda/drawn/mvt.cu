// PolyBench's mvt: x1 += A y1 and x2 += A' y2, one thread for each row of A, then one for each column.

__global__ void add_rows(const float* a, const float* y1, float* x1, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      x1[i] += a[i * n + j] * y1[j];
    }
  }
}

__global__ void add_columns(const float* a, const float* y2, float* x2, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      x2[i] += a[j * n + i] * y2[j];
    }
  }
}

#pragma hone kernel in(a[0 : n * n], y1[0 : n], y2[0 : n]) inout(x1[0 : n], x2[0 : n])                  \
    init(a : uniform(0, 1), y1 : uniform(0, 1), y2 : uniform(0, 1)) problem(n = 4096) problem(n = 1003) \
    tolerance(rtol = 1e-4)
void mvt(const float* a, const float* y1, const float* y2, float* x1, float* x2, int n) {
  add_rows<<<(n + 255) / 256, 256>>>(a, y1, x1, n);
  add_columns<<<(n + 255) / 256, 256>>>(a, y2, x2, n);
}
