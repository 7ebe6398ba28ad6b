// The library's: cuBLAS, to which rows are columns.
#include <cublas_v2.h>

void transpose(const float* a, float* b, int rows, int columns) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  const float one = 1.0f, zero = 0.0f;
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, a, columns, &zero, b, rows, b, rows);
}
