// Whether a kernel's callers are to call its variant as it is.
//
// g++ makes copies of a function for its callers' constants, or puts it into its callers, and what was fast by itself
// is slow there: loops of known length are unrolled before they become vectors. What was judged is the function by
// itself (decision 93). Pure.
#pragma once

#include <string>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/parse/translation_unit.h"

namespace hone::frontend {

// The function's name, as it stands in front of its parameters ("scale", "operator"). "": the user asks for copies
// (`inline`, `constexpr`, `always_inline`), or no attribute can say so. `in_header`: several files have the function,
// where `inline` says nothing of copies.
std::string uncloned(const TranslationUnit& unit, const Attachment& attachment, bool in_header);

}  // namespace hone::frontend
