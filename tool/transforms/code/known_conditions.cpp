#include "tool/transforms/code/known_conditions.h"

#include "tool/transforms/code/language_text.h"

namespace hone::frontend {
namespace {

class Simplifier {
 public:
  Simplifier(const clang::ASTContext& ast, const KnownConditions& known) : ast_(ast), known_(known) {}

  // The new text of a node; nullopt: nothing under it changes.
  std::optional<std::string> rewritten(const clang::Stmt* node) {
    if (!node) return std::nullopt;
    if (auto ready = known_.texts.find(node); ready != known_.texts.end()) return ready->second;
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(node);
        branch && !branch->getInit() && !branch->getConditionVariable()) {
      if (auto value = decided(known_, branch->getCond())) {
        const clang::Stmt* taken = *value ? branch->getThen() : branch->getElse();
        return taken ? "{ " + text(taken) + " }" : "{}";
      }
    }
    if (auto* expression = llvm::dyn_cast<clang::Expr>(node)) {
      if (auto folded = fold(expression)) return folded;
    }
    Substitution inside(ast_);
    bool any = false;
    for (const clang::Stmt* child : node->children()) {
      if (auto changed = rewritten(child)) {
        inside.replace(child, *changed);
        any = true;
      }
    }
    if (!any) return std::nullopt;
    std::string result = inside.text(node);
    spoiled_ |= inside.spoiled();
    return result;
  }

  std::string text(const clang::Stmt* node) {
    if (auto changed = rewritten(node)) return *changed;
    Substitution plain(ast_);
    std::string result = plain.text(node);
    spoiled_ |= plain.spoiled();
    return result;
  }

  bool spoiled() const { return spoiled_; }

 private:
  std::optional<std::string> fold(const clang::Expr* expression) {
    if (expression->isKnownToHaveBooleanValue())
      if (auto value = decided(known_, expression)) {
        if (expression->getType()->isBooleanType() && !is_c(ast_)) return std::string(*value ? "true" : "false");
        return std::string(*value ? "1" : "0");
      }
    if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression); binary && binary->isLogicalOp()) {
      // One side is known and does not decide: the other does.
      if (decided(known_, binary->getLHS())) return "(" + text(binary->getRHS()) + ")";
      if (decided(known_, binary->getRHS())) return "(" + text(binary->getLHS()) + ")";
    }
    if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      if (auto value = decided(known_, choice->getCond()))
        return "(" + text(*value ? choice->getTrueExpr() : choice->getFalseExpr()) + ")";
    }
    if (auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      if (auto clamp = known_.clamps.find(call); clamp != known_.clamps.end() && clamp->second.yields_value())
        return "(" + text(call->getArg(0)) + ")";
      if (auto fact = known_.facts.find(call); fact != known_.facts.end())
        return "(" + text(call->getArg(fact->second ? 0 : 1)) + ")";
    }
    return std::nullopt;
  }

  const clang::ASTContext& ast_;
  const KnownConditions& known_;
  bool spoiled_ = false;
};

}  // namespace

std::optional<bool> decided(const KnownConditions& known, const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  if (auto fact = known.facts.find(condition); fact != known.facts.end() && !llvm::isa<clang::CallExpr>(condition))
    return fact->second;
  if (auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition);
      negation && negation->getOpcode() == clang::UO_LNot) {
    auto value = decided(known, negation->getSubExpr());
    return value ? std::optional<bool>(!*value) : std::nullopt;
  }
  auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!binary || !binary->isLogicalOp()) return std::nullopt;
  auto left = decided(known, binary->getLHS()), right = decided(known, binary->getRHS());
  bool settles = binary->getOpcode() == clang::BO_LOr;  // the value that one side alone decides with
  if (left == settles || right == settles) return settles;
  if (left && right) return !settles;
  return std::nullopt;
}

std::optional<std::string> simplified(const clang::ASTContext& ast, const clang::Stmt* statement,
                                      const KnownConditions& known) {
  Simplifier simplifier(ast, known);
  std::string text = simplifier.text(statement);
  return simplifier.spoiled() ? std::nullopt : std::optional<std::string>(std::move(text));
}

}  // namespace hone::frontend
