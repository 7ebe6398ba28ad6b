// The library's: cuBLAS, to which rows are columns.
#include <cublas_v2.h>

void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1.0f, zero = 0.0f;
  cublasSgemv(handle, CUBLAS_OP_T, columns, rows, &one, a, columns, x, 1, &zero, y, 1);
}
