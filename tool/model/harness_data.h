// Data that the harness fills by itself, told from all others by their names: the pointers where a kernel takes
// pointers to pointers (docs/decisions/0043), and the memory of an object whose last array is longer than declared.
// After a call both hold what the original's and a candidate's must have alike.
#pragma once

#include <string>
#include <string_view>

#include "tool/model/kernel_spec.h"

namespace hone {

inline constexpr std::string_view kPointersOf = "pointers of ";  // no name in a clause begins so

inline constexpr std::string_view kMemoryOf = "memory of ";

inline bool is_memory_of_object(const Parameter& parameter) {
  return parameter.name.starts_with(kMemoryOf);
}

inline bool holds_row_pointers(const Parameter& parameter) {
  return parameter.name.starts_with(kPointersOf);
}

inline bool has_row_pointers(const KernelData& data, const std::string& rows) {
  for (const Parameter& parameter : data.parameters)
    if (holds_row_pointers(parameter) && parameter.name.substr(kPointersOf.size()) == rows) return true;
  return false;
}

}  // namespace hone
