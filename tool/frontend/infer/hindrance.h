// What the judge would find wrong with a function that the frontend takes: it resizes a container or allocates an array
// that it is given, or its results differ from call to call. Whoever suggests to annotate it must know before.
//
// Follows the user's functions that it calls, as far as the parse has their bodies. What it does to its own locals is
// its own affair. Pure; borrows the AST.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class Stmt;
}  // namespace clang

namespace hone::frontend {

// "it resizes 'out' at line 12; …", or "".
std::string hindrance_of(const clang::FunctionDecl& function);

// "line 12", or "line 12 of other.h" where that is another file than the function's.
std::string line_in(const clang::FunctionDecl& function, const clang::Stmt& at);

}  // namespace hone::frontend
