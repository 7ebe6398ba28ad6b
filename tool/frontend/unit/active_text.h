// A kernel's text without what the preprocessor leaves out of it: the text that candidates are made from.
//
// Copies with an #if of the original's would be refused where it asks which compiler this is, and what Clang leaves out
// nobody would have looked at. The original itself is judged as it stands, so where the project's compiler takes other
// branches than Clang, candidates are still compared with what that compiler makes. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "tool/frontend/parse/translation_unit.h"

namespace hone::frontend {

// [begin, end) of the main file, without the lines of #if, #else and their kin, and of branches that are not taken.
// The text as it stands where such a branch begins or ends outside of it, and in CUDA, which reads a file several times
// and takes other branches each time.
std::string active_text(const TranslationUnit& unit, std::size_t begin, std::size_t end);

}  // namespace hone::frontend
