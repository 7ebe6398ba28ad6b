// A variant's text as it goes into a shadow unit: without warnings.
//
// The judge has read a variant's every byte; its style is nobody's concern, and with -Werror an unused variable would
// cost the user the variant. So warnings are off from its first line to its last, in GCC and Clang, and untouched
// around it. Line numbers stay those of the variant's own text. Pure.
#pragma once

#include <string>

#include "tool/frontend/place/rewriter.h"
#include "tool/model/kernel_spec.h"

namespace hone::lock {

// Whole lines in the kernel's language, to stand around text that nobody is to be warned of.
frontend::Silence silence(const KernelIdentity& kernel, bool nvcc);

// `display` names the variant in diagnostics.
std::string without_warnings(const KernelIdentity& kernel, const std::string& variant, const std::string& display,
                             bool nvcc);

}  // namespace hone::lock
