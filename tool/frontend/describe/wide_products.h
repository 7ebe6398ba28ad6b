// Products that clauses compute in 64 bits, since arrays may have more elements than 32 bits count, and what a
// candidate computes in 32. No test sees the difference on arrays that fit into memory, so the texts are compared.
//
// What may be large is anything but constants, numbers of a thread in its block and counters of short loops. A
// product's degree is how many such factors it has, sums by their longest term: (n * c + k) * size has three. Borrows
// the AST.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <map>
#include <optional>
#include <string>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// By the names of integers of at most 32 bits.
using WideFactors = std::map<std::string, unsigned>;

// The least degree of those products in 64 bits of the function, or of what it calls of the user's, that have it.
WideFactors multiplied_wide(const clang::FunctionDecl& function);

// What the original itself computes in 32 bits is no mistake of a candidate's.
void leave_out_narrow(const clang::FunctionDecl& original, WideFactors& wide);

// The first product in 32 bits of such a degree.
struct NarrowProduct {
  std::string text;    // "row * dim"
  std::string factor;  // "dim"
  clang::SourceLocation location;
};
std::optional<NarrowProduct> narrow_product(const clang::FunctionDecl& function, const WideFactors& wide);

}  // namespace hone::frontend
