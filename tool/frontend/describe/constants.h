// The numbers that a function's text names, and those of what it calls: where its answers may jump.
//
// Literals as written, macros and constants of the user's included, signs left out. Borrows the AST.
#pragma once

#include <vector>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// Sorted, each once, at most so many that drawing them all makes sense.
std::vector<double> constants_of(const clang::FunctionDecl& function);

}  // namespace hone::frontend
