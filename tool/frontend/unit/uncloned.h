// A declaration of a kernel with which compilers call its variant as it is.
//
// g++ makes copies of a function for its callers' constants, or puts it into its callers, and what was fast by itself
// is slow there: loops of known length are unrolled before they become vectors. What was judged is the function by
// itself (decision 93). Pure.
#pragma once

#include <string>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/parse/translation_unit.h"

namespace hone::frontend {

// Lines that stand in front of the variant's definition. "": there is no such declaration, or the user asks for copies
// (`inline`, `constexpr`).
std::string uncloned(const TranslationUnit& unit, const Attachment& attachment);

}  // namespace hone::frontend
