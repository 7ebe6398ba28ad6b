// The style that a source is written in, where its project has no .clang-format.
//
// The style is the one that changes the source the least: Clang's formatter lays the source out in one style after the
// other, and the places that it would change are counted. First whole styles (LLVM, Google, …), then one setting after
// the other. So the formatter itself says which `*` is a pointer's. Contract: it depends on the text alone; where
// nothing in the text decides, it is LLVM's. Pure.
#pragma once

#include <clang/Format/Format.h>

#include <string>

namespace hone::frontend {

// A long source is judged by the lines around its first annotation.
clang::format::FormatStyle style_of_source(const std::string& source);

// Nothing that changes more than blanks and line ends, whatever a project asks for.
clang::format::FormatStyle blanks_only(clang::format::FormatStyle style);

}  // namespace hone::frontend
