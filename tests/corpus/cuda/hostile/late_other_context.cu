// kernel: scale
// verdict: time "leaves work on the device" or "keeps the device busy"
// tries: to leave work in a context that nobody waits for
#include <dlfcn.h>
#include <stdlib.h>
void* driver_function(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  void* const found = dlsym(driver, name);
  if (!found) abort();
  return found;
}
void driver_call(const char* name, void* argument) {
  if (((int (*)(void*))driver_function(name))(argument)) abort();
}
void* another_context() {
  void *made, *left;
  cudaFree(nullptr);
  if (((int (*)(void**, unsigned, int))driver_function("cuCtxCreate_v2"))(&made, 0, 0)) abort();
  driver_call("cuCtxPopCurrent_v2", &left);
  return made;
}
__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  static void* mine = another_context();
  step<<<(n + 255) / 256, 256>>>(x, y, n);
  driver_call("cuCtxPushCurrent_v2", mine);
  spin<<<1, 1>>>(100000);
  void* popped;
  driver_call("cuCtxPopCurrent_v2", &popped);
}
