// How the harness names what a call was given. Pure.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

inline std::string slot(unsigned datum) {
  return "hone_slots[" + std::to_string(datum) + "]";
}

// What clause expression `id` says in this call.
inline std::string length(ExpressionId id) {
  return "hone_length_" + std::to_string(id) + "(hone_slots)";
}

}  // namespace hone::frontend
