// May the code of a host's loop run on the device just as well, step by step?
//
// Contract: whole numbers, pointers and small values of the function's own, what is computed of them, choices, loops
// and std::swap, std::min, std::max, and functions whose bodies are computable on a device. Floating-point values are
// passed on, never computed: a device rounds otherwise. False for what reads or writes memory, calls anything else or
// leaves the loop around it. Launches are collected; grids, blocks and arguments must be computable on a device and
// change nothing. Never changes anything. Borrows the AST.
#pragma once

#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

class StepCode {
 public:
  explicit StepCode(const KernelContext& context) : ast_(&context.ast), launcher_(context.launcher) {}

  bool allows(const clang::Stmt* statement);

  const std::vector<const clang::CUDAKernelCallExpr*>& launches() const { return launches_; }
  const std::vector<const clang::VarDecl*>& variables() const {
    return variables_;
  }  // the launcher's, by first mention
  const std::vector<const clang::CallExpr*>& exchanges() const { return exchanges_; }
  const std::vector<const clang::CallExpr*>& bounds() const { return bounds_; }
  // Calls of functions of the host's alone, and those within them in front of them.
  const std::vector<const clang::CallExpr*>& host_calls() const { return host_calls_; }

 private:
  bool allows_declared(const clang::DeclStmt& declared);
  bool allows_branch(const clang::IfStmt& branch);
  bool allows_loop(const clang::Stmt& loop);
  bool allows_launch(const clang::CUDAKernelCallExpr& call);
  bool allows_value(const clang::Expr* expression);
  bool allows_reference(const clang::DeclRefExpr& reference);
  bool allows_call(const clang::CallExpr& call);
  bool allows_function(const clang::CallExpr& call);
  bool allows_unary(const clang::UnaryOperator& operation);
  bool all_allowed(const clang::Stmt& parent);
  bool is_value(clang::QualType type) const;

  const clang::ASTContext* ast_;
  const clang::FunctionDecl* launcher_;
  std::vector<const clang::FunctionDecl*> inside_;  // functions that are being looked into
  std::vector<const clang::CUDAKernelCallExpr*> launches_;
  std::vector<const clang::VarDecl*> variables_;
  std::vector<const clang::CallExpr*> exchanges_, bounds_, host_calls_;
};

}  // namespace hone::frontend
