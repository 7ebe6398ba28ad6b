// Index arithmetic of a kernel: expressions as polynomials over its variables, memory accesses with their strides, and
// the reductions that a loop carries.
//
// Contract: what is not understood is nullopt or `unknown`, never guessed. Never changes anything. Borrows the AST.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// A sum of products of variables with integer factors: i*K + k is {[i,K]: 1, [k]: 1}; the constant has the key [].
// Locals that are initialized once and never changed (const int j = j0 + jj) are replaced by what they stand for.
class IndexPolynomial {
 public:
  using Monomial = std::vector<const clang::ValueDecl*>;  // sorted
  static std::optional<IndexPolynomial> of(const clang::ASTContext& ast, const clang::Expr* expression);
  static IndexPolynomial constant(long long value);
  static IndexPolynomial variable(const clang::ValueDecl* declaration);

  IndexPolynomial operator+(const IndexPolynomial& other) const;
  IndexPolynomial operator-(const IndexPolynomial& other) const;
  IndexPolynomial operator*(const IndexPolynomial& other) const;
  bool operator==(const IndexPolynomial& other) const { return terms_ == other.terms_; }

  std::optional<long long> as_constant() const;
  bool depends_on(const clang::ValueDecl* variable) const;
  // d/dv where it is linear in v; nullopt where it is not.
  std::optional<IndexPolynomial> stride(const clang::ValueDecl* variable) const;
  const std::map<Monomial, long long>& terms() const { return terms_; }

 private:
  std::map<Monomial, long long> terms_;
};

enum class Stride { zero, one, other, unknown };

// One access to memory through a pointer or array: A[i*K+k], a[i][k], *(p+i), bodies[i].x.
struct Access {
  const clang::Expr* expression = nullptr;  // the whole lvalue
  const clang::ValueDecl* base = nullptr;   // the pointer or array variable; null: not understood
  std::optional<IndexPolynomial> index;     // in elements from `base` (rows of constant arrays linearized)
  std::string member;                       // ".x" behind the subscript; "" for none
  bool reads = false, writes = false;

  Stride stride(const clang::VarDecl* variable) const;
};
std::vector<Access> accesses_in(const clang::ASTContext& ast, const clang::Stmt* statement);

// `target op= value` carried by a loop: target is a local scalar, or memory that the loop's variable does not move.
enum class ReductionKind { sum, product, minimum, maximum, bit_and, bit_or, bit_xor };
struct Reduction {
  ReductionKind kind = ReductionKind::sum;
  const clang::Expr* target = nullptr;       // as in the update
  const clang::VarDecl* variable = nullptr;  // null where the target is in memory
  const clang::Stmt* update = nullptr;       // the statement
  std::vector<const clang::Expr*> mentions;  // the lvalues of the target in the update
};
// Every update of the form `target op= value` under `statement`, whoever else looks at the target.
std::vector<Reduction> updates_in(const clang::ASTContext& ast, const clang::Stmt* statement);
// The reductions of `loop` (carried by its own iterations) among the statements under its body.
std::vector<Reduction> reductions_of(const clang::ASTContext& ast, const Loop& loop);

// A guess: can the iterations of `loop` run in any order (reductions aside)? Distinct base variables are taken as
// distinct memory, as the annotation promises.
bool likely_independent(const clang::ASTContext& ast, const Loop& loop);

}  // namespace hone::frontend
