// Whether evaluating something changes anything: then it may be evaluated elsewhere, twice, or not at all.
//
// Contract: true only where that is known. Functions are followed through their bodies. Pure.
#pragma once

#include "tool/frontend/parse/clang_headers.h"

namespace hone::frontend {

// The expression writes nothing and calls only what writes nothing.
bool is_quiet(const clang::Stmt* expression);

// The function writes nothing but its own locals and calls only such functions.
bool is_pure(const clang::FunctionDecl* function);

// The local variable that holds what an lvalue names: v, v.x, v[i] of an array; null where a pointer or a reference
// leads to it.
const clang::VarDecl* local_behind(const clang::Expr* lvalue);

}  // namespace hone::frontend
