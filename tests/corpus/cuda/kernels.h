// The kernels of the CUDA corpus: what the frontend would say of them, and the harness that it would write.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace hone::corpus {

struct CudaKernel {
  KernelSpec spec;
  std::string original;  // the text of kernels/<name>.cu
  std::string harness;
};

// Throws std::runtime_error where there is none of that name.
const CudaKernel& cuda_kernel(const std::string& name);

// A unit with that definition in the original's place.
std::string cuda_unit(const CudaKernel& kernel, const std::string& definition);

}  // namespace hone::corpus
