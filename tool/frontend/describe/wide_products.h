// Products that the extents of clauses compute in 64 bits, since arrays may have more elements than 32 bits count, and
// what a candidate computes in 32. No test sees the difference on arrays that fit into memory, so the texts are
// compared.
//
// What may be large is anything but small constants, remainders by these, numbers of a thread in its block, counters of
// short loops, and locals that are one of these and never get another value. A product's degree is how many factors it
// has that may be large, sums by their longest term: (n * c + k) * size has three. Borrows the AST.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

// By the names of integers: the least degree of products in 64 bits that have it.
using WideFactors = std::map<std::string, unsigned>;
WideFactors multiplied_wide(const clang::ASTContext& context, const std::vector<const clang::Expr*>& extents);

// What the original itself computes in 32 bits is no mistake of a candidate's.
void leave_out_narrow(const clang::FunctionDecl& original, WideFactors& wide);

// The first product in 32 bits of such a degree, in these functions and in what they call of the user's.
struct NarrowProduct {
  std::string text;    // "row * dim"
  std::string factor;  // "dim"
  clang::SourceLocation location;
};
std::optional<NarrowProduct> narrow_product(const std::vector<const clang::FunctionDecl*>& candidate,
                                            const WideFactors& wide);

}  // namespace hone::frontend
