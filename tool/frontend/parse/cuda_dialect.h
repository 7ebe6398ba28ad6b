// How Clang is told to read CUDA as nvcc reads it: arguments, and two headers that exist in memory alone.
//
// One pass as the host sees the file, with __CUDA_ARCH__ defined, so that what stands for the device is read as well.
// Clang 19 cannot read all of CUDA 13's own headers; the texts here take their stumbling blocks away. With them
// __shared__ says nothing to Clang (is_shared_memory() in device_code.h looks at the text) and __managed__ means
// __device__. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hone::frontend {

struct CudaDialect {
  std::vector<std::string> arguments;          // for Clang's driver; in front of the command's own
  std::map<std::string, std::string> headers;  // absolute path → text, to be laid over the disk
};

// `toolkit`: the folder with include/cuda_runtime.h. `architectures` as in NvccLine: the newest that Clang knows
// decides what __CUDA_ARCH__ is.
CudaDialect cuda_dialect(const std::string& toolkit, const std::vector<std::string>& architectures);

}  // namespace hone::frontend
