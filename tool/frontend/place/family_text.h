// Variants in a file that is compiled for several families of architectures (docs/decisions/0010): each family that was
// measured runs its variant, all others run the original, whose text is left as it stands.
//
//   a __global__ kernel that keeps its launch     one kernel, whose text depends on __CUDA_ARCH__
//   a host function that launches, and a          the variant stands in a namespace of its own and is called where the
//   __global__ kernel that brings its launch      loaded code is of its family, which the host asks CUDA for
//
// Kernels and variables must be the same to every pass of nvcc, as the host's half registers what the last of them saw.
// So a variant's are declared for all families; what its kernels and __device__ functions do is hidden from others
// than its own. Pure.
#pragma once

#include <string>

namespace hone::frontend {

// "hone_sm9_0123abcd": a variant's namespace in its file. `key`: the kernel's.
std::string family_namespace(unsigned family, const std::string& key);

}  // namespace hone::frontend
