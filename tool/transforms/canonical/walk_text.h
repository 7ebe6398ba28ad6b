// How a walker's use is written by the counter: what stands around it, and the sum that says where it is.
//
// Contract: pure text; nothing is edited. Borrows the AST.
#pragma once

#include <string>

#include "tool/transforms/canonical/linear_sum.h"
#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// What stands around an expression.
struct Surroundings {
  const clang::Expr* whole = nullptr;  // the expression with its parentheses
  const clang::Stmt* parent = nullptr;
};

Surroundings around(const KernelContext& context, const clang::Expr* expression);

// Whether a sum there needs parentheses.
bool binds_sums(const clang::Stmt* parent, const clang::Expr* child);

// "2 * i", "-i", "i * n".
struct Product {
  bool negative = false;
  std::string text;
};

Product product(const std::string& counter, const LinearSum& each);

// first + counter * each
std::string sum_of(const LinearSum& first, const Product& product);

bool is_one_token(const std::string& text);

}  // namespace hone::frontend
