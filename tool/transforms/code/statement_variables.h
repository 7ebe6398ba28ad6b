// Which variables a statement declares, mentions and writes.
//
// Every transformation asks this of every loop, and a recipe asks all of them again for each site. So what a function
// declares and writes is found in one walk when it is first asked about one of its variables, and kept as long as its
// AST. Threads may ask at once, each about an AST of its own. Borrows the AST, which nobody changes.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace hone::frontend {

// Is `declaration` a variable that is declared inside `statement`?
bool declares(const clang::Stmt* statement, const clang::ValueDecl* declaration);
// Is `declaration` assigned, incremented, bound to a reference or its address taken inside `statement`? Null stands for
// what is reached through pointers.
bool writes_variable(const clang::Stmt* statement, const clang::ValueDecl* declaration);
// All for which writes_variable() says yes, found at once; null may be among them.
std::set<const clang::ValueDecl*> written_in(const clang::Stmt* statement);
// Does `statement` refer to it at all?
bool mentions(const clang::Stmt* statement, const clang::ValueDecl* declaration);

}  // namespace hone::frontend
