// What the judge should know of a function's text, and of what it calls of the user's. Borrows the AST.
#pragma once

#include <vector>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

struct TextFacts {
  // The numbers that it names: where its answers may jump. Literals as written, macros and constants of the user's
  // included, signs left out. Sorted, each once, at most so many that drawing them all makes sense.
  std::vector<double> constants;
  // It calls isnan() or a function of that kind, or compares a value with itself.
  bool asks_for_nan = false;
};
TextFacts facts_of(const clang::FunctionDecl& function);

}  // namespace hone::frontend
