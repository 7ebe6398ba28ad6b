// Computes once, in front of a loop, what the loop does not change: loads, divisions, roots and other calls. Compilers
// keep them inside where a store might change the memory they read, or where the call might set errno. With `bold` an
// element of an array that the loop writes as it moves along is taken to be another one than those.
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

bool reads_memory(const clang::ASTContext& ast, const clang::Expr* expression) {
  return !accesses_in(ast, expression).empty();
}

// Invariant, where memory is taken to change only through the variables that the loop writes through.
bool unchanged(const clang::ASTContext& ast, const clang::Expr* expression, const Loop& loop,
               const std::vector<Access>& accesses, bool bold) {
  if (!invariant_in(expression, loop, false)) return false;
  for (const Access& read : accesses_in(ast, expression)) {
    if (!read.base) return false;
    for (const Access& other : accesses) {
      if (!other.writes || (other.base && (other.base != read.base || other.member != read.member))) continue;
      if (!bold || !other.base || !other.index || !other.index->depends_on(loop.variable)) return false;
    }
  }
  return true;
}

// Dear enough to be worth a register: a load, a division, a call.
bool dear(const clang::Expr* expression) {
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_Rem) return true;
    return dear(binary->getLHS()->IgnoreParenImpCasts()) || dear(binary->getRHS()->IgnoreParenImpCasts());
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return unary->getOpcode() == clang::UO_Deref;
  return llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr>(expression) ||
         (llvm::isa<clang::MemberExpr>(expression) && expression->isLValue());
}

bool is_value(const clang::Expr* expression) {
  auto type = expression->getType();
  if (!type->isArithmeticType() || type->isDependentType() || expression->isValueDependent()) return false;
  auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (binary && (binary->isAssignmentOp() || binary->isLogicalOp() || binary->isComparisonOp())) return false;
  return !llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral>(expression);
}

class Collector {
 public:
  Collector(const clang::ASTContext& ast, const Loop& loop, bool bold)
      : ast_(ast), loop_(loop), bold_(bold), accesses_(accesses_in(ast, loop.body)) {}

  std::vector<const clang::Expr*> expressions() {
    visit(loop_.body, false);
    return found_;
  }

 private:
  void visit(const clang::Stmt* node, bool assigned) {
    if (!node || llvm::isa<clang::LambdaExpr>(node)) return;
    if (auto* expression = llvm::dyn_cast<clang::Expr>(node); expression && !assigned) {
      const clang::Expr* bare = expression->IgnoreParenImpCasts();
      if (is_value(bare) && dear(bare) && unchanged(ast_, bare, loop_, accesses_, bold_)) {
        found_.push_back(bare);
        return;
      }
    }
    auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node);
    auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node);
    for (const clang::Stmt* child : node->children()) {
      bool place = (binary && binary->isAssignmentOp() && child == binary->getLHS()) ||
                   (unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf)) ||
                   (assigned && llvm::isa<clang::ParenExpr, clang::MemberExpr, clang::ImplicitCastExpr>(node));
      visit(child, place);
    }
  }

  const clang::ASTContext& ast_;
  const Loop& loop_;
  const bool bold_;
  std::vector<Access> accesses_;
  std::vector<const clang::Expr*> found_;
};

class Hoist final : public LoopTransformation {
 public:
  std::string_view name() const override { return "hoist"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    const Loop* loop = nest.of(place(context, site));
    const bool careful = loop && !Collector(context.ast, *loop, false).expressions().empty();
    return {careful ? std::vector{0, 1} : std::vector{1}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return !Collector(context.ast, loop, true).expressions().empty();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const bool bold = !arguments.empty() && arguments.front() > 0;
    Substitution inside(context.ast);
    std::string before;
    std::vector<std::pair<std::string, std::string>> named;  // text → name
    for (const clang::Expr* expression : Collector(context.ast, loop, bold).expressions()) {
      std::string text = text_of(context.ast, expression);
      std::string type = plain_type(context.ast, expression->getType());
      if (text.empty() || type.empty()) continue;
      std::string name;
      for (const auto& [known, its_name] : named)
        if (known == text) name = its_name;
      if (name.empty()) {
        name = fresh_name(context, "invariant_" + std::to_string(named.size()));
        named.emplace_back(text, name);
        // What a loop that never runs would not have read may not exist.
        std::string guarded = reads_memory(context.ast, expression)
                                  ? loop.lower_text + " < " + loop.upper_text + " ? " +
                                        converted(context.ast, type, text) + " : " + converted(context.ast, type, "0")
                                  : text;
        before += "const " + type + " " + name + " = " + guarded + ";\n";
      }
      inside.replace(expression, name);
    }
    if (before.empty()) return std::nullopt;
    std::string text = inside.text(loop.statement);
    if (inside.spoiled()) return std::nullopt;
    return braces(before + text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_hoist() {
  return std::make_unique<Hoist>();
}

}  // namespace hone::frontend
