// Mistakes in annotations, shown as compilers show theirs. Pure.
#pragma once

#include <string>
#include <string_view>

#include "tool/frontend/describe/diagnostic.h"

namespace hone::frontend {

// `source` is the whole text of `file`.
Diagnostic make_diagnostic(std::string_view source, std::string file, Mistake mistake);
Diagnostic make_warning(std::string_view source, std::string file, Mistake mistake);

}  // namespace hone::frontend
