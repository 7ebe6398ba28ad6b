#include "tool/cuda/driver.h"

#include <dlfcn.h>

namespace hone::cuda {

const char* load(Driver& driver) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return "there is no libcuda.so.1: install NVIDIA's driver";
#define HONE_CUDA_NAME(call) #call
#define HONE_CUDA_FIND(call)                                                                   \
  driver.call = reinterpret_cast<decltype(driver.call)>(dlsym(library, HONE_CUDA_NAME(call))); \
  if (!driver.call) return "libcuda.so.1 lacks " HONE_CUDA_NAME(call) ": install a newer driver";
  HONE_CUDA_CALLS(HONE_CUDA_FIND)
  const CUresult result = driver.cuInit(0);
  return result == CUDA_SUCCESS ? nullptr : words(driver, result);
}

const char* words(const Driver& driver, CUresult result) {
  const char* text = nullptr;
  if (!driver.cuGetErrorString || driver.cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    return "an unknown CUDA error";
  return text;
}

}  // namespace hone::cuda
