// Which integer expressions are sums of products over a kernel's parameters and the counters of the loops around them.
//
// Follows local variables that are set once, and functions that are one return statement. Division by a constant is
// taken as exact. Borrows the AST.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "tool/frontend/count/polynomial.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

// Variables that the statement assigns to, counts up or down, or lets others change (by address or reference).
std::set<const clang::VarDecl*> modified_in(const clang::Stmt* statement);

class Affine {
 public:
  explicit Affine(clang::ASTContext& context) : context_(context) {}

  // What members are, `g->w` and `x.size()`, which nobody else sets.
  using Members = std::function<std::optional<Polynomial>(const clang::Expr& member)>;
  void set_members(Members members) { members_ = std::move(members); }

  // What a number divided by one that is no constant is, rounded as integers are; none: it is not followed.
  using Quotients = std::function<std::optional<Polynomial>(const Polynomial& dividend, const Polynomial& divisor)>;
  void set_quotients(Quotients quotients) { quotients_ = std::move(quotients); }

  void set(const clang::VarDecl& variable, Polynomial value) { known_[&variable] = std::move(value); }
  void forget(const clang::VarDecl& variable) { known_.erase(&variable); }
  // Gives the parameters of a function that is called the values of the arguments, as far as they are affine.
  void bind(const clang::FunctionDecl& function, const clang::Expr* const* arguments, unsigned count);

  std::optional<Polynomial> value(const clang::Expr* expression);

 private:
  std::optional<Polynomial> of_call(const clang::CallExpr& call);

  clang::ASTContext& context_;
  std::map<const clang::VarDecl*, Polynomial> known_;
  Members members_;
  Quotients quotients_;
  unsigned depth_ = 0;  // of calls
};

}  // namespace hone::frontend
