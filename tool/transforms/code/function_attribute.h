// Attributes of the kernel's own definition: they change how its body is compiled, and nothing else of the unit.
//
// They exist for the compiler that builds the project; Clang, which parses candidates, ignores what it does not know,
// so what is there already is asked of the text. Never touches declarations or helpers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

// False of a device's code: nvcc keeps such attributes from it.
bool heeds_attributes(const KernelContext& context);

// Does the candidate hold an attribute that starts like this ("optimize(") in front of the kernel's name?
bool has_attribute(const KernelContext& context, std::string_view start);

// Puts `__attribute__((attribute))` in front of the declaration's specifiers. A template<…> or extern "C" stays ahead.
void add_attribute(Edits& edits, const KernelContext& context, const std::string& attribute);

// Some output is floating and may differ from the original by rounding.
bool may_round(const KernelSpec& spec);

}  // namespace hone::frontend
