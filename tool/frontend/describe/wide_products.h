// Products that a function computes in 64 bits, since its arrays may have more elements than 32 bits count, and what
// another version of it computes in 32. No test sees the difference on arrays that fit into memory, so the texts are
// compared. Borrows the AST.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <set>
#include <string>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// The names of integers of at most 32 bits that the function, or what it calls of the user's, multiplies in 64 bits,
// and never in 32, with what may be large: no constant, no number of a thread in its block, no counter of a short loop.
std::set<std::string> multiplied_wide(const clang::FunctionDecl& function);

// The first product in 32 bits of one of those with what may be large.
struct NarrowProduct {
  std::string text;    // "row * dim"
  std::string factor;  // "dim"
  clang::SourceLocation location;
};
std::optional<NarrowProduct> narrow_product(const clang::FunctionDecl& function, const std::set<std::string>& wide);

}  // namespace hone::frontend
