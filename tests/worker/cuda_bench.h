// CUDA kernels for the judge: units compiled by nvcc as the tuner would, and the bundles around them.
#pragma once

#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/model/kernel_spec.h"

namespace hone::test {

std::string nvcc();           // its path; "": it is not installed
std::string why_no_device();  // "": there is a device and nvcc

// An ELF shared object of a unit, for the device that is there. Compiled once per text; "" where nvcc refuses it, and
// `complaint` then says why.
std::string compile_cuda_unit(const std::string& unit, std::string* complaint = nullptr);

// Several at once, so that those that follow are there already.
void compile_cuda_units(const std::vector<std::string>& units);

// hone_device_error(), which every CUDA unit has beside the harness.
extern const char* const device_error_text;

// void kernel(const float* x, float* y, int n) as Saxpy has it, on device pointers.
std::string cuda_saxpy_unit(const std::string& definition, const std::vector<int>& sizes);
bundle::Bundle cuda_saxpy(const std::string& original, const std::string& candidate, const std::vector<int>& sizes);

}  // namespace hone::test
