// A variable that holds what the iteration before has put into it is known from the second iteration on: the first one
// runs by itself, and in the others the variable is written as what it stands for.
//
//   int before = n - 1;
//   for (i = 0; i < n; ++i) { a[i] = b[i] + b[before]; before = i; }
//   → if (0 < n) {
//       { i = 0: a[i] = b[i] + b[before]; before = i; }
//       for (i = 1; i < n; ++i) a[i] = b[i] + b[i - 1];
//       before = n - 1;
//     }
#include <algorithm>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

struct Followed {
  const clang::VarDecl* variable = nullptr;
  const clang::BinaryOperator* assignment = nullptr;  // the statement that changes it
};

// Does nothing but the loop's counter change what it is?
bool is_known_by_counter(const clang::Expr* value, const Loop& loop) {
  for (auto* reference : all_of<clang::DeclRefExpr>(value)) {
    const clang::ValueDecl* declaration = reference->getDecl();
    if (declaration != loop.variable &&
        (declares(loop.statement, declaration) || writes_variable(loop.statement, declaration)))
      return false;
  }
  const bool computes = !all_of<clang::CallExpr>(value).empty() || !all_of<clang::ArraySubscriptExpr>(value).empty() ||
                        !all_of<clang::MemberExpr>(value).empty() || effects_of(value).calls_unknown;
  return !computes && std::ranges::none_of(all_of<clang::UnaryOperator>(value), [](auto* unary) {
    return unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_Deref;
  });
}

// Every other mention stands in a statement in front of the assignment, and reads.
bool reads_before(const Loop& loop, const Followed& followed) {
  bool behind = false;
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    if (statement == followed.assignment) {
      behind = true;
    } else if (mentions(statement, followed.variable) && (behind || writes_variable(statement, followed.variable))) {
      return false;
    }
  }
  return true;
}

std::optional<Followed> followed_in(const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.innermost() || loop.step != 1 || effects.leaves || effects.continues) return std::nullopt;
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (!assignment || assignment->getOpcode() != clang::BO_Assign) continue;
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    const auto* variable = target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
    if (!variable || !variable->getType()->isIntegerType() || declares(loop.statement, variable)) continue;
    const Followed followed{variable, assignment};
    if (is_known_by_counter(assignment->getRHS(), loop) && reads_before(loop, followed)) return followed;
  }
  return std::nullopt;
}

class Peel final : public LoopTransformation {
 public:
  std::string_view name() const override { return "peel"; }

 protected:
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override { return followed_in(loop).has_value(); }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    const auto followed = followed_in(loop);
    const std::string counter = loop.variable->getNameAsString(), variable = followed->variable->getNameAsString();
    const std::string type = plain_type(context.ast, followed->variable->getType());
    const clang::Expr* value = followed->assignment->getRHS();
    Substitution before(context.ast), last(context.ast), rest(context.ast);
    before.rename(value, loop.variable, "(" + counter + " - 1)");
    last.rename(value, loop.variable, "(" + loop.upper_text + " - 1)");
    const std::string known = "(" + before.text(value) + ")", at_end = last.text(value);
    rest.replace(followed->assignment, "");
    for (const clang::Stmt* statement : statements_of(loop.body)) rest.rename(statement, followed->variable, known);
    std::string others;
    for (const clang::Stmt* statement : statements_of(loop.body)) others += rest.text(statement) + "\n";
    const std::string first = text_of(context.ast, loop.body);
    if (type.empty() || first.empty() || before.spoiled() || last.spoiled() || rest.spoiled()) return std::nullopt;
    return "if (" + loop.lower_text + " < " + loop.upper_text + ") " +
           braces(braces("const " + loop.type + " " + counter + " = " + loop.lower_text + ";\n" + first) + "\n" +
                  header(loop, loop.lower_text + " + 1", loop.upper_text) + braces(others) + "\n" + variable + " = " +
                  at_end + ";");
  }
};

}  // namespace

std::unique_ptr<Transformation> make_peel() {
  return std::make_unique<Peel>();
}

}  // namespace hone::frontend
