// A __global__ kernel with launches in its file, and a candidate that launches kernels of its own in their place.
#pragma once

#include <string>

namespace hone::frontend {

inline const std::string kClauses =
    "#pragma hone kernel inout(x[0:n]) problem(n=1000) launch(grid((n + kBlock - 1) / kBlock), block(kBlock))\n";
inline const std::string kKernel =
    "static __global__ void scale(float* x, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] *= 2;\n"
    "}\n";
inline const std::string kSites =
    "void run(float* x, int n, cudaStream_t s) {\n"
    "  scale<<<(n + 255) / 256, 256, 0, s>>>(x, n);\n"
    "  app::scale<<<dim3((n + 255) / 256), dim3(256)>>>(x, n);\n"
    "}\n";

inline std::string file(const std::string& kernel, const std::string& sites, const std::string& front = "") {
  return front + "namespace app {\nconstexpr int kBlock = 256;\n" + kClauses + kernel + sites + "}\n";
}

inline const std::string kOwnKernel =
    "static __global__ void four(float* x, int n) {\n"
    "  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n"
    "  for (int i = first; i < first + 4 && i < n; ++i) x[i] *= 2;\n"
    "}\n";

inline std::string launcher(const std::string& body) {
  return "static void hone_launch_scale(float* x, int n, cudaStream_t stream) {\n" + body + "}\n";
}

inline const std::string kCandidate =
    kKernel + kOwnKernel + launcher("  four<<<(n + 1023) / 1024, 256, 0, stream>>>(x, n);\n");

}  // namespace hone::frontend
