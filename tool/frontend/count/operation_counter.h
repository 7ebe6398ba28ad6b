// Counts the operations of one function body; the rules stand in work_count.h. Borrows the AST; one use each.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tool/frontend/count/affine.h"
#include "tool/frontend/count/polynomial.h"

namespace clang {
class BinaryOperator;
class CallExpr;
class Expr;
class ForStmt;
class FunctionDecl;
class IfStmt;
class QualType;
class Stmt;
class UnaryOperator;
}  // namespace clang

namespace hone::frontend {

class OperationCounter {
 public:
  using Counts = std::map<std::pair<std::string, bool>, Polynomial>;  // by (kind, floating)

  explicit OperationCounter(clang::ASTContext& context) : context_(context), affine_(context) {}

  Affine& affine() { return affine_; }
  // The work of one call. Incomplete where failure() says why.
  Counts count(const clang::FunctionDecl& function);
  const std::string& failure() const { return failure_; }

 private:
  struct Loop;
  void fail(const clang::Stmt& where, const std::string& why);
  void enter(const clang::FunctionDecl& function);
  void statement(const clang::Stmt* statement, Counts& into);
  void children(const clang::Stmt& statement, Counts& into);
  void declarations(const clang::Stmt& statement, Counts& into);
  void branch(const clang::IfStmt& branch, Counts& into);
  void alternatives(const clang::Stmt* one, const clang::Stmt* other, Counts& into);
  void loop(const clang::ForStmt& loop, Counts& into);
  std::optional<Polynomial> trips(const clang::Expr* condition, const Loop& loop);
  void expression(const clang::Expr& expression, Counts& into);
  void binary(const clang::BinaryOperator& operation, Counts& into);
  void unary(const clang::UnaryOperator& operation, Counts& into);
  void call(const clang::CallExpr& call, Counts& into);
  void operation(const std::string& kind, clang::QualType type, Counts& into) const;
  bool is_constant(const clang::Expr& expression) const;

  clang::ASTContext& context_;
  Affine affine_;
  std::set<const clang::VarDecl*> modified_;
  std::set<const clang::FunctionDecl*> entered_;  // the calls that lead here
  unsigned addressing_ = 0;                       // within subscripts and pointer arithmetic
  Polynomial::Symbol next_counter_ = 1u << 16;    // behind any parameter's
  std::string failure_;
};

}  // namespace hone::frontend
