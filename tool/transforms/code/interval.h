// Between which numbers the value of an integer expression lies, by its types and constants alone: a byte is 0 to 255,
// and 77 of them at most 19635.
//
// Contract: true for whatever memory and parameters hold. nullopt: nothing is known that 64 bits can say. Locals that
// are set once are looked through. Borrows the AST.
#pragma once

#include <optional>
#include <set>

#include "tool/frontend/parse/clang_headers.h"

namespace hone::frontend {

struct Interval {
  long long low = 0, high = 0;
  bool within(const Interval& other) const { return other.low <= low && high <= other.high; }
  bool operator==(const Interval&) const = default;
};

class Intervals {
 public:
  // For expressions of this function.
  Intervals(const clang::ASTContext& ast, const clang::FunctionDecl* function);

  // `zero`: a variable that is taken to be 0.
  std::optional<Interval> of(const clang::Expr* expression, const clang::VarDecl* zero = nullptr) const;

 private:
  std::optional<Interval> of_type(clang::QualType type) const;
  std::optional<Interval> of_variable(const clang::VarDecl* variable, const clang::VarDecl* zero) const;
  std::optional<Interval> of_unary(const clang::UnaryOperator& operation, const clang::VarDecl* zero) const;
  std::optional<Interval> of_binary(const clang::BinaryOperator& operation, const clang::VarDecl* zero) const;
  // What a value becomes in a type: itself where that holds all of it.
  std::optional<Interval> in_type(std::optional<Interval> value, clang::QualType type) const;

  const clang::ASTContext& ast_;
  std::set<const clang::ValueDecl*> written_;
};

}  // namespace hone::frontend
