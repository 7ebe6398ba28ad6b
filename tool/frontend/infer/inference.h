// The annotation that a function's own text suggests: roles from what it writes, extents from its subscripts and the
// loops around them, problems from the scalars that those need.
//
// A subscript is followed to its largest value: sums of products over counters and parameters, remainders, masks,
// clamps, pointers that count along, and the functions that are called with the pointers. What cannot be followed is
// not guessed: a `?` stands there, and a sentence says why. Sizes of problems are guesses, and said to be. Nothing is
// proven: the judge refuses an original that reads beyond an extent. Pure; borrows the AST.
#pragma once

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

struct Inferred {
  std::string pragma;                // "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1048576)"
  std::vector<std::string> open;     // one sentence for each `?`: "'x': its subscript at line 12 depends on data"
  std::vector<std::string> guesses;  // extents that rest on a parameter's name alone
  std::string hindrance;             // why the judge would refuse it all the same, a sentence (hindrance.h); or ""
  bool guessed_sizes = false;        // there is a problem(), and nobody said how large
};

Inferred infer(const clang::FunctionDecl& function);

}  // namespace hone::frontend
