// A variant's definition with the attribute by which callers call it as it is (decision 93). Pure.
#pragma once

#include <string>
#include <string_view>

#include "tool/model/candidate.h"

namespace hone::frontend {

// The definition, whose function of that name says `noipa` to g++ and `noinline` to Clang. Its lines and columns stay
// those of `display`. Where tokens do not show that function, or show several, or where its head asks for copies
// itself, the definition is unchanged.
std::string uncloned_text(const SplitSource& variant, std::string_view name, std::string_view display);

}  // namespace hone::frontend
