// Variants of a __global__ kernel that bring launches of their own (launch_text.h). Pure.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// Does the variant define what is called in place of the kernel's launches?
bool brings_launch(const KernelSpec& spec, const std::string& variant);

// Can it go into the kernel's file as that stands? "", or why its launches cannot take the place of the file's.
std::string why_not_here(const KernelSpec& spec, const std::string& variant);

}  // namespace hone::frontend
