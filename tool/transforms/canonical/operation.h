// Operators of pointers, integers and iterators alike: what C++ writes the same is read the same.
#pragma once

#include "tool/frontend/parse/clang_headers.h"

namespace hone::frontend {

struct Operation {
  clang::OverloadedOperatorKind kind = clang::OO_None;  // OO_PlusPlus, OO_Star (of one operand: *p), OO_Less, …
  const clang::Expr* left = nullptr;                    // the operand, where there is one
  const clang::Expr* right = nullptr;
  bool postfix = false;

  bool is_sum() const { return right && (kind == clang::OO_Plus || kind == clang::OO_Minus); }
};

// Without parentheses, conversions that keep the value, and what the compiler adds.
const clang::Expr* as_operand(const clang::Expr* expression);

// OO_None where it is none.
Operation operation_of(const clang::Expr* expression);

// The local variable or parameter that is named; null: something else.
const clang::VarDecl* named_variable(const clang::Expr* expression);

}  // namespace hone::frontend
