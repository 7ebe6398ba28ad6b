// CUDA sources as users write them, each with an annotated kernel; and what the tests on them share.
#pragma once

#include <string>
#include <vector>

#include "tests/frontend/snippet.h"

namespace hone::frontend {

extern const char* const kGemm;         // a __global__ kernel, launched by its annotation
extern const char* const kSoftmax;      // a launcher with a stream, a __device__ helper and dynamic shared memory
extern const char* const kCooperative;  // a launcher of a kernel of cooperative groups
extern const char* const kReduce;       // a launcher that calls CUB
extern const char* const kTemplates;    // a launcher of a kernel template with a policy, in namespaces
extern const char* const kHalf;         // a launcher on __half
extern const char* const kConstant;     // __constant__ memory with an initializer

// As CMake compiles it for one architecture.
Snippet cuda_snippet(const std::string& text,
                     std::vector<std::string> flags = {"--generate-code=arch=compute_90,code=[compute_90,sm_90]",
                                                       "-std=c++17"});

bool has_cuda();  // the toolkit; no device is needed

// Skips, and says so, where there is no toolkit.
#define HONE_NEEDS_CUDA() \
  if (!has_cuda()) GTEST_SKIP() << "there is no " << kNvcc

}  // namespace hone::frontend
