// The library's: cuBLAS.
#include <cublas_v2.h>

void saxpy(float a, const float* x, float* y, int n) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  cublasSaxpy(handle, n, &a, x, 1, y, 1);
}
