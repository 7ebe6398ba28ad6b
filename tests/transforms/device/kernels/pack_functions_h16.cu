#include <cuda_fp16.h>
// Functions, among them those that must not be fused.
__global__ void both(const half* x, half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    half v = __hfma(x[i], x[i], __hmax(x[i], y[i]));
    v *= x[i];
    y[i] = __hadd_rn(__hmul_rn(v, y[i]), __hneg(x[i]));
  }
}
#pragma hone kernel in(x [0:rows * n]) inout(y [0:rows * n]) problem(rows = 100, n = 1000)
void pack_functions_h16(const half* x, half* y, int rows, int n) {
  both<<<(rows * n + 127) / 128, 128>>>(x, y, rows * n);
}
