// A variant's text as the functions that stand in it at namespace level: what of it is for a device alone (CUDA), and
// where each body is.
//
// Variants passed the gate once, so what is read here is C++ that compiles; tokens are enough to see its functions.
// What macros make is not seen. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// A function's definition or declaration, in bytes of the text.
struct VariantFunction {
  std::string name;
  std::size_t begin = 0, end = 0;  // from its first token
  std::size_t name_at = 0;
  std::size_t body = 0, body_end = 0;                      // at the opening and the closing brace; 0: a declaration
  bool global = false;                                     // __global__
  bool device_alone = false;                               // __device__, and not for the host
  bool nested = false;                                     // in a namespace of the variant's
  std::vector<std::pair<std::size_t, std::size_t>> newer;  // attributes in front of the name that older GPUs refuse
};

std::vector<VariantFunction> functions_of(const std::string& variant);

// The definition of the kernel itself; nullopt: there is none that tokens show, or several.
std::optional<VariantFunction> kernel_function(const KernelIdentity& kernel, const std::string& variant);
// The same by the name in front of its parameters.
std::optional<VariantFunction> kernel_function(std::string_view name, const std::string& variant);

// Does the text define a function of the kernel's name? What macros may make counts, too: a quick look at what a lock
// file names, not the gate's.
bool defines_kernel(const KernelSpec& spec, const std::string& variant);

}  // namespace hone::frontend
