// What `continue` skips stands under a condition instead: that is what other transformations look for.
//
//   if (c) continue; rest                         →  if (!(c)) { rest }
//   if (c) { a; continue; } else { b; } rest      →  if (c) { a; } else { b; rest }
//   if (c) { a; if (d) continue; b; } rest        →  bool skips = false; if (c) { a; if (d) skips = true; else { b; } }
//                                                    if (!skips) { rest }
//
// All loops of the kernel at once. A loop stays as it is if a `continue` stands in anything but blocks, plain `if` and
// a `switch` that ends the iteration. What is skipped stays where it is; only what opens and closes is written.
#include <algorithm>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using Statements = std::vector<const clang::Stmt*>;

bool is_continue(const clang::Stmt* statement) {
  return llvm::isa<clang::ContinueStmt>(statement);
}

// Those that speak of the loop that `statement` stands in.
void add_continues(const clang::Stmt* statement, Statements& found) {
  if (!statement ||
      llvm::isa<clang::LambdaExpr, clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
    return;
  if (is_continue(statement)) found.push_back(statement);
  for (const clang::Stmt* child : statement->children()) add_continues(child, found);
}

Statements continues_in(const clang::Stmt* statement) {
  Statements found;
  add_continues(statement, found);
  return found;
}

bool skips(const clang::Stmt* statement) {
  return !continues_in(statement).empty();
}

bool ends_in_continue(const clang::Stmt* statement) {
  const Statements inside = statements_of(statement);
  return !inside.empty() && is_continue(inside.back());
}

bool is_step(const clang::Stmt* statement) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) return unary->isIncrementDecrementOp();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
  return binary && binary->isAssignmentOp();
}

// They read the same and mean the same variables.
bool is_same(const clang::ASTContext& ast, const clang::Stmt* one, const clang::Stmt* other) {
  const std::string text = text_of(ast, one);
  const auto alike = [](const clang::DeclRefExpr* a, const clang::DeclRefExpr* b) {
    return a->getDecl() == b->getDecl();
  };
  return !text.empty() && text == text_of(ast, other) &&
         std::ranges::equal(all_of<clang::DeclRefExpr>(one), all_of<clang::DeclRefExpr>(other), alike);
}

// while (i < n) { if (c) { ++i; continue; } rest; ++i; }: where each `continue` comes behind the step that the body
// ends with, that step stays behind everything. All of these but the last; none: there is another way around it.
Statements repeated_steps(const clang::ASTContext& ast, const clang::Stmt* body) {
  const Statements whole = statements_of(body);
  if (whole.size() < 2 || !is_step(whole.back())) return {};
  Statements steps;
  for (const auto* block : all_of<clang::CompoundStmt>(body)) {
    const Statements inside = statements_of(block);
    for (std::size_t at = 1; at < inside.size(); ++at)
      if (is_continue(inside[at]) && is_same(ast, inside[at - 1], whole.back())) steps.push_back(inside[at - 1]);
  }
  return steps.size() == continues_in(body).size() ? steps : Statements();
}

// Does a `case` in it belong to a switch around it?
bool is_jumped_into(const clang::Stmt* statement) {
  if (!statement || llvm::isa<clang::SwitchStmt, clang::LambdaExpr>(statement)) return false;
  return llvm::isa<clang::SwitchCase>(statement) || std::ranges::any_of(statement->children(), is_jumped_into);
}

bool is_plain_branch(const clang::IfStmt& branch) {
  return !branch.hasInitStorage() && !branch.getConditionVariable() && !branch.isConstexpr() && !branch.isConsteval() &&
         !branch.getCond()->IgnoreParenImpCasts()->getType()->isRecordType();
}

// The opposite of a comparison; "" where that is not one for all values: nothing is less than NaN.
std::string opposite(const clang::BinaryOperator& comparison) {
  if (!comparison.isComparisonOp() || comparison.getOpcode() == clang::BO_Cmp) return "";
  const clang::QualType type = comparison.getLHS()->getType();
  if (!comparison.isEqualityOp() && !type->isIntegralOrEnumerationType() && !type->isPointerType()) return "";
  return clang::BinaryOperator::getOpcodeStr(clang::BinaryOperator::negateComparisonOp(comparison.getOpcode())).str();
}

// "" where it has no text.
std::string negated(const clang::ASTContext& ast, const clang::Expr* condition) {
  const clang::Expr* bare = condition->IgnoreParenImpCasts();
  if (const auto* no = llvm::dyn_cast<clang::UnaryOperator>(bare); no && no->getOpcode() == clang::UO_LNot)
    return text_of(ast, no->getSubExpr()->IgnoreParens());
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(bare))
    if (const std::string other = opposite(*comparison); !other.empty()) {
      const std::string left = text_of(ast, comparison->getLHS()), right = text_of(ast, comparison->getRHS());
      return left.empty() || right.empty() ? "" : left + " " + other + " " + right;
    }
  const std::string text = text_of(ast, condition->IgnoreParens());
  return text.empty() ? "" : "!(" + text + ")";
}

// Statements behind which an iteration ends, or one in front of which a flag is set up.
struct Ending {
  Statements statements;
  std::size_t end = 0;   // where a block around them may close
  bool in_block = true;  // else it is a single one, as in `if (a) statement`

  Ending behind(std::size_t index) const {
    return {Statements(statements.begin() + static_cast<std::ptrdiff_t>(index) + 1, statements.end()), end, true};
  }
  Ending from(const clang::Stmt* first, std::size_t index) const {
    Ending all = behind(index);
    all.statements.insert(all.statements.begin(), first);
    return all;
  }
};

// One loop's body. False: it is not understood, and the edits are worth nothing.
class SkippingRewriter {
 public:
  SkippingRewriter(const KernelContext& context, Edits& edits, NewNames& names)
      : ast_(context.ast), edits_(edits), names_(names) {}

  bool write_body(const clang::Stmt* body) {
    steps_ = repeated_steps(ast_, body);
    if (steps_.empty()) return write(body);
    for (const clang::Stmt* step : steps_) edits_.replace(step, "");
    Statements inside = statements_of(body);
    const auto last = range_of(ast_, inside.back());
    inside.pop_back();
    return last && write({inside, last->begin, true});
  }

 private:
  bool write(const clang::Stmt* statement) {
    const auto range = range_of(ast_, statement);
    if (!range) return false;
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement);
    return block ? write({statements_of(block), range->end - 1, true}) : write({{statement}, range->end, false});
  }

  bool only_continues(const clang::Stmt* statement) const {
    const Statements inside = statements_of(statement);
    const bool steps = inside.size() == 2 && std::ranges::count(steps_, inside.front()) > 0;
    return ends_in_continue(statement) && (inside.size() == 1 || steps);
  }

  bool write(const Ending& ending) {
    const auto first = std::ranges::find_if(ending.statements, skips);
    if (first == ending.statements.end()) return true;
    const auto index = static_cast<std::size_t>(first - ending.statements.begin());
    const bool last = index + 1 == ending.statements.size();
    if (is_continue(*first)) return last && leave_out(*first, ending.in_block);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(*first);
    if (branch && !is_plain_branch(*branch)) return false;
    if (branch && flag_.empty() && only_continues(branch->getThen()) && (!last || branch->getElse()))
      return turn(*branch, ending, index);
    if (branch && ends_in_continue(branch->getThen()) && (!last || branch->getElse()))
      return widen_else(*branch, ending, index);
    if (branch && branch->getElse() && flag_.empty() && only_continues(branch->getElse()))
      return drop_else(*branch, ending, index);
    return last ? write_last(*first) : write_flagged(*first, ending, index);
  }

  // At the end of an iteration.
  bool leave_out(const clang::Stmt* statement, bool in_block) {
    edits_.replace(statement, !flag_.empty() ? flag_ + " = " + truth(true) + ";" : in_block ? "" : "{}");
    return true;
  }

  // if (c) continue; rest → if (!(c)) { rest }, and so with `else`
  bool turn(const clang::IfStmt& branch, const Ending& ending, std::size_t index) {
    const auto whole = range_of(ast_, &branch);
    const std::string condition = negated(ast_, branch.getCond());
    if (!whole || condition.empty()) return false;
    const clang::Stmt* other = branch.getElse();
    const auto rest = other ? range_of(ast_, other) : std::optional(TextRange{whole->end, whole->end});
    if (!rest) return false;
    edits_.replace(TextRange{whole->begin, rest->begin}, opening(ending) + "if (" + condition + ") {\n");
    close(ending);
    return write(other ? ending.from(other, index) : ending.behind(index));
  }

  // if (c) { a; continue; } rest → if (c) { a; } else { rest }
  bool widen_else(const clang::IfStmt& branch, const Ending& ending, std::size_t index) {
    const clang::Stmt* other = branch.getElse();
    const auto place = range_of(ast_, other ? other : &branch);
    if (!place) return false;
    edits_.insert(other ? place->begin : place->end, other ? "{\n" : " else {\n");
    if (!write(branch.getThen())) return false;
    edits_.insert(ending.end, "\n}\n");
    return write(other ? ending.from(other, index) : ending.behind(index));
  }

  // if (c) a; else continue; rest → if (c) { a; rest }
  bool drop_else(const clang::IfStmt& branch, const Ending& ending, std::size_t index) {
    const auto whole = range_of(ast_, &branch), then = range_of(ast_, branch.getThen());
    if (!whole || !then) return false;
    if (!ending.in_block) edits_.insert(whole->begin, "{\n");
    edits_.insert(then->begin, "{\n");
    edits_.replace(TextRange{then->end, whole->end}, "");
    close(ending);
    return write(ending.from(branch.getThen(), index));
  }

  // Without it, the `else` of an `if` around would become that of the new one.
  static std::string opening(const Ending& ending) { return ending.in_block ? "" : "{\n"; }
  void close(const Ending& ending) { edits_.insert(ending.end, ending.in_block ? "\n}\n" : "\n}\n}\n"); }

  bool write_last(const clang::Stmt* statement) {
    if (llvm::isa<clang::CompoundStmt>(statement)) return write(statement);
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement)) return write_switch(*choice);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    return branch && write(branch->getThen()) && (!branch->getElse() || write(branch->getElse()));
  }

  // Nothing comes behind it: it is left instead.
  bool write_switch(const clang::SwitchStmt& choice) {
    for (const auto* inner : all_of<clang::SwitchStmt>(choice.getBody()))
      if (skips(inner)) return false;
    for (const clang::Stmt* one : continues_in(choice.getBody()))
      edits_.replace(one, flag_.empty() ? "break;" : "{ " + flag_ + " = " + truth(true) + "; break; }");
    return true;
  }

  // What comes behind it asks whether it is skipped.
  bool write_flagged(const clang::Stmt* statement, const Ending& ending, std::size_t index) {
    const auto range = range_of(ast_, statement);
    if (!range) return false;
    const std::string outer = flag_;
    if (flag_.empty()) {
      flag_ = names_.make("skips");
      edits_.insert(range->begin, (is_c(ast_) ? "int " : "bool ") + flag_ + " = " + truth(false) + ";\n");
    }
    if (!write_last(statement)) return false;
    edits_.insert(range->end, "\nif (!" + flag_ + ") {\n");
    edits_.insert(ending.end, "\n}\n");
    flag_ = outer;
    return write(ending.behind(index));
  }

  std::string truth(bool value) const { return is_c(ast_) ? (value ? "1" : "0") : (value ? "true" : "false"); }

  const clang::ASTContext& ast_;
  Edits& edits_;
  NewNames& names_;
  Statements steps_;  // that go, as the body ends with such a one
  std::string flag_;  // that is set where the iteration goes no further; "": nothing follows there
};

// nullopt: no loop has one that is understood.
std::optional<std::string> without_continue(const KernelContext& context) {
  if (has_jumps(*context.kernel)) return std::nullopt;
  const LoopNest nest(context);
  Edits edits(context);
  NewNames names(context);
  bool found = false;
  for (const Loop& loop : nest.loops()) {
    if (!skips(loop.body) || is_jumped_into(loop.body)) continue;
    Edits more = edits;
    if (!SkippingRewriter(context, more, names).write_body(loop.body) || more.spoiled()) continue;
    edits = more;
    found = true;
  }
  return found ? edits.candidate() : std::nullopt;
}

class NoContinue final : public Transformation {
 public:
  std::string_view name() const override { return "no_continue"; }

  unsigned sites(const KernelContext& context) const override { return without_continue(context) ? 1 : 0; }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    return without_continue(context);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_no_continue() {
  return std::make_unique<NoContinue>();
}

}  // namespace hone::frontend
