// The loops of a kernel as the transformations want to see them: which are counted, over what, and how they nest.
//
// Contract: every for, while and do loop of the function's body is listed in source order; a `for` that counts upward
// by a constant is `counted` and has its parts named. Of functions inside of it (lambdas) only those that are told to
// be inlined are looked into, as transformations write them; their loops have no loop around them. Never changes
// anything. Borrows the AST.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tool/transforms/code/transformation.h"
#include "tool/transforms/code/statement_variables.h"

namespace hone::frontend {

struct Loop {
  const clang::Stmt* statement = nullptr;  // ForStmt, WhileStmt, DoStmt or CXXForRangeStmt
  const clang::Stmt* body = nullptr;
  Loop* parent = nullptr;
  std::vector<Loop*> children;  // the loops directly inside, in source order
  unsigned depth = 0;           // 0: outermost
  bool in_lambda = false;       // which may be called in loops

  // Only where `counted`: for (T v = lower; v < upper; v += step), in whatever spelling.
  bool counted = false;
  bool owns_variable = false;  // declared in the header; else it is used by loops of its own only
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* lower = nullptr;
  const clang::Expr* upper = nullptr;
  bool inclusive = false;  // v <= upper
  long long step = 1;
  std::string type;        // of v: "int", "size_t" as written; the canonical one for auto
  std::string lower_text;  // as written; in parentheses where more than one token
  std::string upper_text;  // exclusive: "(n - 1) + 1" where inclusive; in parentheses likewise

  const clang::ForStmt* as_for() const { return llvm::dyn_cast<clang::ForStmt>(statement); }
  bool innermost() const { return children.empty(); }
  // The only statement of the body, when it is a counted loop: perfect nesting.
  Loop* only_child() const;
  // Trip count where the bounds are constants.
  std::optional<long long> constant_trips(const clang::ASTContext& ast) const;
  std::optional<long long> constant_lower(const clang::ASTContext& ast) const;
};

class LoopNest {
 public:
  explicit LoopNest(const KernelContext& context);
  LoopNest(const LoopNest&) = delete;

  std::deque<Loop>& loops() { return loops_; }  // source order (preorder)
  const std::deque<Loop>& loops() const { return loops_; }
  Loop* of(const clang::Stmt* statement);
  std::vector<Loop*> counted();  // the counted ones
  // Counted ones that pass; those before the context's `stop` fired.
  std::vector<Loop*> where(const std::function<bool(const Loop&)>& test);

 private:
  std::deque<Loop> loops_;
  const std::stop_token* stop_;
};

// The statements of a body: those of a block, or the single one.
std::vector<const clang::Stmt*> statements_of(const clang::Stmt* body);

// What a statement does to variables and control flow.
struct Effects {
  bool leaves = false;         // return or goto inside, or a break/continue that binds outside of it
  bool continues = false;      // a continue that binds outside of it
  bool calls_unknown = false;  // calls something that is not a pure library or builtin function
};
Effects effects_of(const clang::Stmt* statement);

// Does it go from place to place by labels, or stand in regions of OpenMP? Then its loops are not what they seem.
bool has_jumps(const clang::FunctionDecl& function);

// The local variable or parameter that `expression` names, conversions aside; null: it is something else.
const clang::VarDecl* local_variable(const clang::Expr* expression);
// Is `wanted` the statement itself or inside it?
bool holds(const clang::Stmt* statement, const clang::Stmt* wanted);
// Does the value of `expression` stay the same while `loop` runs? Looks at variables only; `memory_too`: also false
// when it reads memory that the loop might write.
bool invariant_in(const clang::Expr* expression, const Loop& loop, bool memory_too = true);
// Every node of type T under `root`, root included, in source order.
template <class T>
void add_all_of(const clang::Stmt* root, std::vector<const T*>& found) {
  if (!root) return;
  if (auto* node = llvm::dyn_cast<T>(root)) found.push_back(node);
  for (const clang::Stmt* child : root->children()) add_all_of(child, found);
}
template <class T>
std::vector<const T*> all_of(const clang::Stmt* root) {
  std::vector<const T*> found;
  add_all_of(root, found);
  return found;
}

}  // namespace hone::frontend
