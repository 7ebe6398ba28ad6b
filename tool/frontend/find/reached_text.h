// What a kernel reaches, as named texts, so that a key can be made of them.
//
// Sorted by name where the order in the file means nothing: moving a helper changes no key. Where two different things
// share a name, or a using brings names in, what stands first may decide which of them the code behind it means, and
// the order of the file is kept. Pure.
#pragma once

#include <compare>
#include <string>
#include <tuple>
#include <vector>

#include "tool/frontend/describe/closure.h"

namespace hone::frontend {

struct ReachedText {
  std::string label;      // "reaches app::helper", "macro FACTOR"
  std::string text;       // tokens, without comments and layout
  std::string file = {};  // where it is; "": the unit's main file
  unsigned line = 0;      // 0: nowhere
  // Where it is is no part of what it is.
  auto operator<=>(const ReachedText& other) const {
    return std::tie(label, text) <=> std::tie(other.label, other.text);
  }
  bool operator==(const ReachedText& other) const { return label == other.label && text == other.text; }
};

// Without the kernel's own item.
std::vector<ReachedText> reached_texts(const TranslationUnit& unit, const Outline& outline, const Closure& closure,
                                       int kernel_item);

// The active tokens of a piece of a file: comments, layout and untaken branches out. Of the directives only pragmas
// count, as the others have done their work. All branches and directives are in where a condition asks which compiler
// this is, since the project's may take another branch than Clang, and in CUDA: nvcc reads a file once for the host and
// once for each architecture, and takes others each time.
std::string canonical_tokens(const TranslationUnit& unit, clang::FileID file, std::size_t begin, std::size_t end);

}  // namespace hone::frontend
