// The library's: cuBLAS, whose matrices are stored by columns, so that C^T = B^T A^T is asked for.
#include <cublas_v2.h>

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1.0f, zero = 0.0f;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n);
}
