#include "tool/frontend/gate/cuda_policy.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "tool/frontend/parse/word_list.h"

namespace hone::frontend {
namespace {

constexpr std::string_view kCudaHeaders[] = {
    // numbers
    "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h", "cuComplex.h", "math_constants.h",
    "vector_types.h", "vector_functions.h",
    // blocks, warps, memory
    "mma.h", "cooperative_groups.h", "cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_awbarrier.h",
    "cuda_awbarrier_primitives.h", "cuda/atomic", "cuda/barrier", "cuda/bit", "cuda/cmath", "cuda/functional",
    "cuda/iterator", "cuda/latch", "cuda/pipeline", "cuda/ptx", "cuda/semaphore", "cuda/warp",
    // what nvcc includes anyway
    "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h", "device_launch_parameters.h", "device_functions.h",
    "sm_20_intrinsics.h", "sm_30_intrinsics.h", "sm_32_intrinsics.h", "sm_35_intrinsics.h", "sm_61_intrinsics.h",
    "device_atomic_functions.h", "sm_60_atomic_functions.h"};
constexpr std::string_view kHeaderFolders[] = {"cooperative_groups/", "cub/", "cuda/std/", "thrust/"};

constexpr std::string_view kRuntime[] = {
    "cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel",
    "cudaFuncSetAttribute", "cudaFuncGetAttributes", "cudaFuncSetCacheConfig",
    // on the device, in the stream's order
    "cudaMemcpyAsync", "cudaMemcpy2DAsync", "cudaMemsetAsync", "cudaMemset2DAsync", "cudaMemset", "cudaMemset2D",
    "cudaMemcpy", "cudaMemcpy2D", "cudaMallocAsync", "cudaFreeAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize",
    // questions
    "cudaGetDevice", "cudaDeviceGetAttribute", "cudaGetSymbolAddress", "cudaGetSymbolSize", "cudaGetLastError",
    "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName", "cudaStreamGetDevice", "cudaPointerGetAttributes",
    // from device code, between launches that overlap
    "cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion", "cudaCreateChannelDesc"};

struct Refusal {
  std::string_view prefix;
  std::string_view why;
};

constexpr Refusal kRefusals[] = {
    {"cudaStreamCreate", "it makes a stream; work on the one that the call is given"},
    {"cudaStreamDestroy", "it ends a stream; work on the one that the call is given"},
    {"cudaStreamSetAttribute", "it changes a stream for whoever uses it next"},
    {"cudaStreamBeginCapture", "it makes a graph of a stream's work"},
    {"cudaStreamEndCapture", "it makes a graph of a stream's work"},
    {"cudaStreamAddCallback", "it runs code on the host while the device works"},
    {"cudaLaunchHostFunc", "it runs code on the host while the device works"},
    {"cudaEvent", "it is for measuring and for ordering streams; a kernel has one stream"},
    {"cudaGraph", "graphs outlive the call"},
    {"cudaCtxResetPersistingL2Cache", "the cache's division is the program's"},
    {"cudaCtx", "contexts are the program's"},
    {"cuCtx", "contexts are the program's"},
    {"cuDevicePrimaryCtx", "contexts are the program's"},
    {"cudaMallocManaged",
     "managed memory moves between host and device as it is used; take workspace with "
     "cudaMallocAsync and cudaFreeAsync"},
    {"cudaMallocHost", "it pins memory of the host; take workspace with cudaMallocAsync and cudaFreeAsync"},
    {"cudaHost", "it pins memory of the host; take workspace with cudaMallocAsync and cudaFreeAsync"},
    {"cudaFreeHost", "a candidate has no pinned memory"},
    {"cudaMalloc", "it is not ordered with the stream; take workspace with cudaMallocAsync and cudaFreeAsync"},
    {"cudaFree", "it is not ordered with the stream; take workspace with cudaMallocAsync and cudaFreeAsync"},
    {"cudaMemPool", "pools of memory are the program's"},
    {"cudaDeviceSetMemPool", "pools of memory are the program's"},
    {"cudaDeviceReset", "it ends what the program has on the device"},
    {"cudaSetDevice", "it changes which device the program works on"},
    {"cudaSetValidDevices", "it changes which device the program works on"},
    {"cudaInitDevice", "it changes which device the program works on"},
    {"cudaDeviceSet", "it changes the device for everything that follows"},
    {"cudaThread", "it changes the device for everything that follows"},
    {"cudaDeviceEnablePeerAccess", "other devices are not a kernel's"},
    {"cudaDeviceDisablePeerAccess", "other devices are not a kernel's"},
    {"cudaMemcpyPeer", "other devices are not a kernel's"},
    {"cudaIpc", "other processes are not a kernel's"},
    {"cudaImportExternal", "other programs' memory is not a kernel's"},
    {"cudaMemcpyToSymbol", "it changes a variable that lasts; give it an initializer, or pass the data to the kernel"},
    {"cudaMemcpyFromSymbol", "it reads a variable that lasts"},
    {"cudaMemPrefetch", "managed memory is the program's"},
    {"cudaMemAdvise", "managed memory is the program's"},
    {"cudaProfiler", "it steers a profiler"},
};

constexpr Refusal kDeviceNames[] = {
    {"clock", "it reads a clock"},
    {"clock64", "it reads a clock"},
    {"__nv_clock", "it reads a clock"},
    {"globaltimer", "it reads a clock"},
    {"printf", "it prints"},
    {"vprintf", "it prints"},
    {"malloc", "memory from the device's heap; use shared memory, or workspace from cudaMallocAsync"},
    {"free", "memory from the device's heap; use shared memory, or workspace from cudaMallocAsync"},
    {"alloca", "it takes stack of unknown size"},
    {"__trap", "it ends the program's work on the device"},
    {"__brkpt", "it ends the program's work on the device"},
    {"__assertfail", "it ends the program's work on the device; leave assert() out"},
    {"__assert_fail", "it ends the program's work on the device; leave assert() out"},
    {"__prof_trigger", "it steers a profiler"},
    {"cudaLaunchAttributeAccessPolicyWindow", "the cache's division is the program's"},
    {"accessPolicyWindow", "the cache's division is the program's"},
    {"cudaAccessPropertyPersisting", "the cache's division is the program's"},
    {"cudaLaunchAttributePriority", "the order among the program's streams is its own"},
    {"cudaLaunchAttributeEvent", "events are the program's"},
    {"cudaLaunchAttributeProgrammaticEvent", "events are the program's"},
    {"cudaLaunchAttributeLaunchCompletionEvent", "events are the program's"},
};

bool is_api(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::isupper(static_cast<unsigned char>(name[prefix.size()]));
}

}  // namespace

bool is_cuda_header(std::string_view name) {
  if (contains(kCudaHeaders, name)) return true;
  return name.find("..") == std::string_view::npos &&
         std::any_of(std::begin(kHeaderFolders), std::end(kHeaderFolders),
                     [&](std::string_view folder) { return name.starts_with(folder); });
}

std::string object_to_runtime_call(std::string_view name) {
  if (!is_api(name, "cuda") && !is_api(name, "cu")) return "";
  if (contains(kRuntime, name) || name.starts_with("cudaOccupancy")) return "";
  const auto* found = std::find_if(std::begin(kRefusals), std::end(kRefusals),
                                   [&](const Refusal& one) { return name.starts_with(one.prefix); });
  const std::string quoted = "'" + std::string(name) + "' is not allowed: ";
  if (found != std::end(kRefusals)) return quoted + std::string(found->why);
  return quoted +
         "of CUDA's functions a candidate may call those that launch, ask for occupancy or attributes, copy "
         "or clear memory of the device, and cudaMallocAsync with cudaFreeAsync";
}

std::string object_to_device_name(std::string_view name) {
  const auto* found = std::find_if(std::begin(kDeviceNames), std::end(kDeviceNames),
                                   [&](const Refusal& one) { return name == one.prefix; });
  if (found == std::end(kDeviceNames)) return "";
  return "'" + std::string(name) + "' is not allowed: " + std::string(found->why);
}

int direction_argument(std::string_view function) {
  if (function == "cudaMemcpy" || function == "cudaMemcpyAsync") return 3;
  if (function == "cudaMemcpy2D" || function == "cudaMemcpy2DAsync") return 6;
  return -1;
}

bool is_pass_macro(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"__CUDA_ARCH",  "__CUDACC", "NV_IF_",  "NV_DISPATCH_",
                                            "NV_PROVIDES_", "NV_IS_",   "NV_HAS_", "NV_ANY_TARGET"};
  return name == "__NVCC__" || name == "__CUDABE__" || name == "__CUDA__" ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace hone::frontend
