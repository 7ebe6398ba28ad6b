// Mistakes in annotations, shown as compilers show theirs. Pure.
#pragma once

#include <string>
#include <string_view>

#include "annotations/directive.h"
#include "tool/frontend/describe/diagnostic.h"

namespace hone::frontend {

// `source` is the whole text of `file`.
Diagnostic make_diagnostic(std::string_view source, std::string file, annotations::Location place, std::string message);
Diagnostic make_warning(std::string_view source, std::string file, annotations::Location place, std::string message);

}  // namespace hone::frontend
