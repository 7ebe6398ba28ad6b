// The text side of freezing: a unit joined for the preprocessor, its answer cut again, and a candidate put in between.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tool/compile/unit/frozen_unit.h"
#include "tool/model/kernel_spec.h"

namespace hone::compile {

// The unit without its definition, with lines between the pieces that no preprocessor touches.
std::string text_to_preprocess(const KernelUnit& unit);

// Cuts the preprocessor's answer (-E -fdirectives-only). nullopt: the lines in between are not all there, as when one
// stands under an #if.
std::optional<FrozenUnit> cut_preprocessed(std::string_view text);

// The unit as it is, where what it includes is frozen instead.
FrozenUnit with_directives(const KernelUnit& unit);

// The whole source to compile: `source` is the original's definition or a candidate. Diagnostics in a candidate name
// "candidate" and its own lines.
std::string text_to_compile(const FrozenUnit& unit, const std::string& source);

// The same without the unit's preamble, for a compile that has that precompiled.
std::string text_behind_preamble(const FrozenUnit& unit, const std::string& source);

}  // namespace hone::compile
