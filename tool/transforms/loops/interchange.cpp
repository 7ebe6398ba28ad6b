// Swaps a loop with the one directly inside it, so that the innermost loop runs along memory.
//
// What stands before and after the inner loop gets loops of its own. A scalar that such code carries for the inner loop
// lives in the memory it is finally stored to:
//   for j { s = 0; for i s += A[i][j]*x[i]; y[j] = s; }
//   → for j y[j] = 0; for i for j y[j] += A[i][j]*x[i];
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

class Swap {
 public:
  Swap(const KernelContext& context, const Loop& outer) : context_(context), outer_(outer) {}

  std::optional<std::string> text() {
    if (!outer_.counted || outer_.children.size() != 1 || effects_of(outer_.body).leaves) return std::nullopt;
    inner_ = outer_.children[0];
    if (!inner_->counted || mentions(inner_->lower, outer_.variable) || mentions(inner_->upper, outer_.variable))
      return std::nullopt;
    std::vector<const clang::Stmt*>* part = &before_;
    for (const clang::Stmt* statement : statements_of(outer_.body)) {
      if (statement == inner_->statement)
        part = &after_;
      else
        part->push_back(statement);
    }
    if (part != &after_) return std::nullopt;  // it stands deeper, in a branch
    for (auto* statement : before_)
      if (effects_of(statement).continues) return std::nullopt;
    if (!place_locals()) return std::nullopt;
    std::string body = body_text(inner_->body);
    std::string text = around(before_, true) + header(*inner_) + header(outer_) +
                       braces(repeated_text(inner_->body) + body) + "\n" + around(after_, false);
    if (refused_) return std::nullopt;
    return braces(text);
  }

 private:
  bool crosses(const clang::VarDecl* variable) const {
    if (mentions(inner_->statement, variable)) return true;
    for (auto* statement : after_)
      if (mentions(statement, variable)) return true;
    return false;
  }

  // Locals of `before_` that others need: in memory, or computed again.
  bool place_locals() {
    for (auto* statement : before_) {
      for (auto* variable : declared_in(statement)) {
        if (!llvm::isa<clang::DeclStmt>(statement) || !crosses(variable)) continue;
        if (mentions(inner_->lower, variable) || mentions(inner_->upper, variable)) return false;
        bool fixed = variable->getType()->isReferenceType() || !writes_variable(outer_.body, variable);
        if (fixed && variable->hasInit()) {
          again_.push_back(variable);
        } else if (const clang::Expr* home = stored_to(variable)) {
          memory_.emplace_back(variable, home);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  // X of the first `X = …variable…` behind the inner loop.
  const clang::Expr* stored_to(const clang::VarDecl* variable) const {
    for (auto* statement : after_) {
      auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
      if (!mentions(statement, variable)) continue;
      if (!assignment || assignment->getOpcode() != clang::BO_Assign) return nullptr;
      auto accesses = accesses_in(context_.ast, assignment->getLHS());
      if (accesses.empty() || accesses[0].expression != assignment->getLHS()->IgnoreParens()) return nullptr;
      if (context_.ast.hasSameUnqualifiedType(assignment->getLHS()->getType(), variable->getType()))
        return assignment->getLHS();
      return nullptr;
    }
    return nullptr;
  }

  std::string body_text(const clang::Stmt* node) {
    Substitution substitution(context_.ast);
    for (const auto& [variable, home] : memory_) substitution.rename(node, variable, text_of(context_.ast, home));
    std::string text = substitution.text(node);
    refused_ |= substitution.spoiled();
    return text;
  }

  std::string repeated_text(const clang::Stmt* node) {
    std::set<const clang::VarDecl*> needed;
    for (auto it = again_.rbegin(); it != again_.rend(); ++it) {
      bool used = mentions(node, *it);
      for (const auto& [variable, home] : memory_) used |= mentions(node, variable) && mentions(home, *it);
      for (auto* other : needed) used |= mentions(other->getInit(), *it);
      if (used) needed.insert(*it);
    }
    std::string text;
    for (auto* variable : again_)
      if (needed.contains(variable)) {
        const std::string constant = constant_like(context_.ast, variable);
        refused_ |= constant.empty();
        text += constant + " = " + body_text(variable->getInit()) + ";\n";
      }
    return text;
  }

  // A loop of its own for what stood around the inner one.
  std::string around(const std::vector<const clang::Stmt*>& statements, bool declares) {
    std::string inside;
    for (auto* statement : statements) {
      auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      if (!declared || !declares) {
        // `y[j] = y[j]` is what a plain store has become.
        auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
        if (assignment && assignment->getOpcode() == clang::BO_Assign &&
            body_text(assignment->getLHS()) == body_text(assignment->getRHS()))
          continue;
        inside += repeated_text(statement) + body_text(statement) + "\n";
        continue;
      }
      for (const clang::Decl* inner : declared->decls()) {
        auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
        if (!variable) continue;
        for (const auto& [moved, home] : memory_)
          if (moved == variable && variable->hasInit())
            inside += repeated_text(statement) + repeated_text(home) + text_of(context_.ast, home) + " = " +
                      body_text(variable->getInit()) + ";\n";
      }
      for (const clang::Decl* inner : declared->decls()) {
        auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
        // Locals that only the statements before the loop use stay with them.
        bool placed = false;
        for (const auto& [moved, home] : memory_) placed |= moved == variable;
        for (auto* again : again_) placed |= again == variable;
        if (!placed && variable)
          inside += declared->isSingleDecl() ? body_text(statement) + "\n" : (refused_ = true, "");
      }
    }
    if (inside.empty()) return {};
    return header(outer_) + braces(inside) + "\n";
  }

  const KernelContext& context_;
  const Loop& outer_;
  const Loop* inner_ = nullptr;
  bool refused_ = false;
  std::vector<const clang::Stmt*> before_, after_;
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>> memory_;
  std::vector<const clang::VarDecl*> again_;
};

class Interchange final : public LoopTransformation {
 public:
  std::string_view name() const override { return "interchange"; }

 protected:
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override {
    return loop.children.size() == 1 && loop.children[0]->counted;
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    return Swap(context, loop).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_interchange() {
  return std::make_unique<Interchange>();
}

}  // namespace hone::frontend
