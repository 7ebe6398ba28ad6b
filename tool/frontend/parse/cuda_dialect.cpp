#include "tool/frontend/parse/cuda_dialect.h"

#include <algorithm>

#include "tool/command/cuda_architecture.h"

namespace hone::frontend {
namespace {

constexpr const char* kFolder = "/.hone/clang-for-cuda";
constexpr const char* kHeader = "hone_cuda_dialect.h";
constexpr unsigned kOldest = 50, kNewest = 90;  // that Clang 19 can be asked for
constexpr unsigned kDefault = 75;               // nvcc 13's own

// Behind Clang's own wrapper of the CUDA headers.
constexpr const char* kText = R"(#pragma GCC system_header
#undef __shared__
#define __shared__
#undef __managed__
#define __managed__ __device__
#undef __grid_constant__
#define __grid_constant__
#undef __cluster_dims__
#define __cluster_dims__(...)
#undef __block_size__
#define __block_size__(...)
#undef __maxnreg__
#define __maxnreg__(...)
#undef __local_maxnreg__
#define __local_maxnreg__(...)
#undef __nv_pure__
#define __nv_pure__
#undef __inline_hint__
#define __inline_hint__
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

template <class T> struct __hone_same { typedef T type; };
#define __HONE_LOAD(name) template <class T> __device__ T name(const T*);
__HONE_LOAD(__ldcg) __HONE_LOAD(__ldca) __HONE_LOAD(__ldcs) __HONE_LOAD(__ldlu) __HONE_LOAD(__ldcv)
#undef __HONE_LOAD
#define __HONE_STORE(name) template <class T> __device__ void name(T*, typename __hone_same<T>::type);
__HONE_STORE(__stwb) __HONE_STORE(__stcg) __HONE_STORE(__stcs) __HONE_STORE(__stwt)
#undef __HONE_STORE
#define __HONE_MODE cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
template <class T> __device__ void surf1Dwrite(T, cudaSurfaceObject_t, int, __HONE_MODE);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int, __HONE_MODE);
template <class T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int, __HONE_MODE);
template <class T> __device__ void surf1DLayeredwrite(T, cudaSurfaceObject_t, int, int, __HONE_MODE);
template <class T> __device__ void surf2DLayeredwrite(T, cudaSurfaceObject_t, int, int, int, __HONE_MODE);
#undef __HONE_MODE

// nvcc has these functions for the host, too; Clang's own headers hide them. Templates: whatever else there is wins.
#include <assert.h>
#include <stdio.h>
#include <time.h>
template <bool, class T> struct __hone_if {};
template <class T> struct __hone_if<true, T> { typedef T type; };
#define __HONE_EXTREME(name) template <class T, class U> \
  typename __hone_if<__is_arithmetic(T) && __is_arithmetic(U), decltype(T() + U())>::type name(T, U);
__HONE_EXTREME(max) __HONE_EXTREME(min)
#undef __HONE_EXTREME
#define __HONE_ASK(name) template <class T> typename __hone_if<__is_floating_point(T), bool>::type name(T);
__HONE_ASK(isfinite) __HONE_ASK(isinf) __HONE_ASK(isnan) __HONE_ASK(signbit)
#undef __HONE_ASK
)";

bool has_features_of_90a(const std::vector<std::string>& architectures) {
  return std::ranges::any_of(architectures, [](const std::string& one) { return one.ends_with("_90a"); });
}

std::string header_text(unsigned architecture, bool features_of_90a) {
  const std::string number = std::to_string(architecture * 10);
  std::string text = kText;
  text += "#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ " + number + "\n";
  if (features_of_90a) text += "#define __CUDA_ARCH_FEAT_SM90_ALL 1\n#define __CUDA_ARCH_SPECIFIC__ 900\n";
  return text;
}

unsigned newest(const std::vector<std::string>& architectures) {
  unsigned number = 0;
  for (const std::string& one : architectures) number = std::max(number, architecture_number(one));
  return number == 0 ? kDefault : std::clamp(number, kOldest, kNewest);
}

}  // namespace

CudaDialect cuda_dialect(const std::string& toolkit, const std::vector<std::string>& architectures) {
  const unsigned architecture = newest(architectures);
  const std::string folder = kFolder;
  CudaDialect dialect;
  dialect.arguments = {
      "-x", "cuda", "--cuda-host-only", "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_" + std::to_string(architecture),
      "-isystem", folder, "-isystem", toolkit + "/include/cccl", "-Wno-unknown-cuda-version", "-D__NVCC__",
      // What the toolkit's own header says: known as soon as anybody asks.
      "-D__CUDACC_VER_MAJOR__=(CUDA_VERSION/1000)", "-D__CUDACC_VER_MINOR__=(CUDA_VERSION%1000/10)",
      "-D__CUDACC_VER_BUILD__=0", "-D__CUDA_ARCH_LIST__=" + std::to_string(architecture * 10), "-include", kHeader};
  dialect.headers[folder + "/" + kHeader] = header_text(architecture, has_features_of_90a(architectures));
  dialect.headers[folder + "/texture_fetch_functions.h"] = "";
  return dialect;
}

}  // namespace hone::frontend
