// What code for devices an nvcc command generates, in whichever of nvcc's ways it says so.
//
// `-gencode arch=compute_90,code=[compute_90,sm_90]` names an architecture to compile as and the images made from it;
// `-arch=sm_90` stands for both, and `-arch=compute_80 -code=sm_80,sm_86` is the older spelling. They add up. Pure, std
// only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone {

struct GeneratedCode {
  std::string architecture;         // that it is compiled as: "compute_90"; "native", "all-major" as they stand
  std::vector<std::string> images;  // "compute_90", "sm_90"
};

// Empty: the flags name none, and nvcc has a default of its own.
std::vector<GeneratedCode> generated_code(const std::vector<std::string>& flags);

// The flags for code that is only ever loaded by such a device ("sm_90"): without the images that it would not load
// (command/cuda_architecture.h). The same flags, where it loads all of them or none, or is not known ("").
std::vector<std::string> flags_for_device(const std::vector<std::string>& flags, std::string_view device);

}  // namespace hone
