// The translation unit reduced to what a kernel reaches, by blanking the rest of the main file's text.
//
// Blanking keeps every line and column, macros, #if structure, namespaces and the user's #includes; system #includes
// stay where something reached comes from them. Nothing is re-emitted, so what stays is what the user wrote. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/closure.h"
#include "tool/frontend/describe/placement.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// How much goes: everything but the closure; function bodies outside of it; main() alone.
enum class Blanking { all_but_closure, other_functions, only_main };

std::string reduced_text(const TranslationUnit& unit, const Outline& outline, const Closure& closure,
                         Blanking blanking);

Placement place(const TranslationUnit& unit, const Outline& outline, const Attachment& attachment, std::string file);

// Cuts `text` (the main file's, blanked or not) where a variant goes in. The harness is left empty.
KernelUnit cut(const std::string& text, const Placement& placement, const std::string& original);

// The unit as one text, with the original or another definition in it.
std::string assembled(const KernelUnit& unit, const std::string& file);

}  // namespace hone::frontend
