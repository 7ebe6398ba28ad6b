// Where a kernel takes pointers to pointers, the pointers are a datum beside that of the rows (docs/decisions/0043).
// The harness fills it before a call, and names after it what each points to; its name tells it from all others.
#pragma once

#include <string>
#include <string_view>

#include "tool/model/kernel_spec.h"

namespace hone {

inline constexpr std::string_view kPointersOf = "pointers of ";  // no name in a clause begins so

inline bool holds_row_pointers(const Parameter& parameter) {
  return parameter.name.starts_with(kPointersOf);
}

inline bool has_row_pointers(const KernelData& data, const std::string& rows) {
  for (const Parameter& parameter : data.parameters)
    if (holds_row_pointers(parameter) && parameter.name.substr(kPointersOf.size()) == rows) return true;
  return false;
}

}  // namespace hone
