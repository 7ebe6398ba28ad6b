// NVIDIA's driver as a table of functions, found when the program runs: neither the judge nor a runner is linked with
// libcuda, so that both start on machines without one. What the calls mean: CUDA Driver API, cuda.h.
//
// No C++ runtime is used here; a runner has none.
#pragma once

#include <cuda.h>

// From cudaProfiler.h, which NVIDIA packs apart from cuda.h.
extern "C" CUresult CUDAAPI cuProfilerStart();
extern "C" CUresult CUDAAPI cuProfilerStop();

namespace hone::cuda {

// Macro names, so that cuda.h's own renaming (cuMemAlloc to cuMemAlloc_v2) holds for the lookup too.
#define HONE_CUDA_CALLS(X)          \
  X(cuInit)                         \
  X(cuDriverGetVersion)             \
  X(cuGetErrorString)               \
  X(cuDeviceGet)                    \
  X(cuDeviceGetCount)               \
  X(cuDeviceGetName)                \
  X(cuDeviceGetUuid)                \
  X(cuDeviceGetAttribute)           \
  X(cuDevicePrimaryCtxRetain)       \
  X(cuDevicePrimaryCtxRelease)      \
  X(cuCtxSetCurrent)                \
  X(cuCtxSynchronize)               \
  X(cuCtxResetPersistingL2Cache)    \
  X(cuCtxGetLimit)                  \
  X(cuCtxGetCacheConfig)            \
  X(cuMemGetInfo)                   \
  X(cuMemAlloc)                     \
  X(cuMemFree)                      \
  X(cuMemAllocAsync)                \
  X(cuMemFreeAsync)                 \
  X(cuDeviceGetDefaultMemPool)      \
  X(cuMemPoolGetAttribute)          \
  X(cuMemcpyHtoD)                   \
  X(cuMemcpyDtoH)                   \
  X(cuMemcpyDtoD)                   \
  X(cuMemcpyDtoDAsync)              \
  X(cuMemsetD8)                     \
  X(cuMemsetD8Async)                \
  X(cuMemsetD32Async)               \
  X(cuMemHostRegister)              \
  X(cuMemHostUnregister)            \
  X(cuMemGetAllocationGranularity)  \
  X(cuMemCreate)                    \
  X(cuMemRelease)                   \
  X(cuMemExportToShareableHandle)   \
  X(cuMemImportFromShareableHandle) \
  X(cuMemAddressReserve)            \
  X(cuMemAddressFree)               \
  X(cuMemMap)                       \
  X(cuMemUnmap)                     \
  X(cuMemSetAccess)                 \
  X(cuModuleLoadData)               \
  X(cuModuleUnload)                 \
  X(cuModuleGetFunction)            \
  X(cuFuncSetAttribute)             \
  X(cuLaunchKernel)                 \
  X(cuStreamCreate)                 \
  X(cuStreamSynchronize)            \
  X(cuEventCreate)                  \
  X(cuEventRecord)                  \
  X(cuEventSynchronize)             \
  X(cuEventElapsedTime)             \
  X(cuEventDestroy)                 \
  X(cuProfilerStart)                \
  X(cuProfilerStop)

struct Driver {
#define HONE_CUDA_MEMBER(call) decltype(&::call) call = nullptr;
  HONE_CUDA_CALLS(HONE_CUDA_MEMBER)
#undef HONE_CUDA_MEMBER
};

// Loads libcuda.so.1 and initializes it. nullptr, or why there is no driver to use.
const char* load(Driver& driver);

// "an illegal memory access was encountered"
const char* words(const Driver& driver, CUresult result);

}  // namespace hone::cuda
