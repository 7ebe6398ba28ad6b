// Makes the returns of a callee's body reach the body's end, where the kernel goes on.
//
//   if (v < low) return low;          if (v < low) { r = low; } else {
//   v *= 2;                       →   v *= 2;
//   return v;                         r = v; }
//
// Contract: branches that end become branches with an else; where that does not do, the body becomes a loop that runs
// once and returns leave it. Nothing where a loop or a switch returns. Pure.
#pragma once

#include <functional>
#include <string>

#include "tool/transforms/calls/callee.h"

namespace hone::frontend {

enum class Ending {
  open,        // it returns nothing, and nowhere but at its end
  value,       // it returns once, at its end
  structured,  // close_returns() has put every return at an end
  once,        // the body has to stand in do { … } while (0)
  impossible
};

class ReturnWriter {
 public:
  // `end_with`: what a return becomes, for its value or null; with all that it needs to be a statement.
  using EndWith = std::function<std::string(const clang::Expr* value)>;
  ReturnWriter(const KernelContext& context, const Callee& callee) : context_(context), callee_(callee) {}

  Ending ending() const;  // before anything is written: open, value or structured (to be tried)
  const clang::ReturnStmt* last() const;
  // Writes them into `text`.
  Ending close(Substitution& text, const EndWith& end_with) const;
  // Where a statement of the callee stands, with its semicolon.
  std::optional<TextRange> range(const clang::Stmt* statement) const;

 private:
  using Statements = std::vector<const clang::Stmt*>;
  bool close_list(Substitution& text, const Statements& list, std::size_t end, const EndWith& end_with) const;
  bool close_branch(Substitution& text, const clang::Stmt* branch, const EndWith& end_with) const;
  bool close_if(Substitution& text, const clang::IfStmt& branch, const Statements& rest, std::size_t end,
                const EndWith& end_with) const;
  bool skip_rest(Substitution& text, const clang::IfStmt& branch, const Statements& rest, std::size_t end,
                 const EndWith& end_with) const;
  void replace_return(Substitution& text, const clang::ReturnStmt* one, const EndWith& end_with) const;

  const KernelContext& context_;
  const Callee& callee_;
};

}  // namespace hone::frontend
