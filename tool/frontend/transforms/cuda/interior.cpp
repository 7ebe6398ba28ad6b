// Loops whose every iteration asks whether it lies inside of something (a filter at a picture's border) ask once: where
// the first and the last iterations lie inside, all do, and a copy of the loops without the question runs.
//
//   for t: { at = i + t - h; if (at >= 0 && at < n) sum += x[at] * w[t]; }
//
// That holds of conditions that are linear in the loops' variables, as borders are.
#include "tool/frontend/transforms/accesses.h"
#include "tool/frontend/transforms/loop_text.h"
#include "tool/frontend/transforms/loop_transformation.h"

namespace hone::frontend {
namespace {

constexpr std::size_t most_loops = 3;

struct Nest {
  std::vector<const Loop*> loops;                // outermost first, each the only statement of the one before
  std::vector<const clang::Stmt*> declarations;  // in front of the question
  const clang::IfStmt* question = nullptr;
};

bool compares(const clang::Expr* test) {
  test = test->IgnoreParenImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test);
  if (!binary) return false;
  if (binary->getOpcode() == clang::BO_LAnd) return compares(binary->getLHS()) && compares(binary->getRHS());
  return binary->isRelationalOp() && binary->getLHS()->getType()->isIntegerType();
}

bool may_repeat(const clang::ASTContext& ast, const clang::Stmt* statement) {
  return accesses_in(ast, statement).empty() && all_of<clang::CallExpr>(statement).empty();
}

std::optional<Nest> nest_of(const KernelContext& context, const Loop& top) {
  Nest nest;
  for (const Loop* loop = &top; loop; loop = loop->only_child()) {
    for (const Loop* outer : nest.loops)
      if (mentions(loop->lower, outer->variable) || mentions(loop->upper, outer->variable)) return std::nullopt;
    if (!loop->owns_variable) return std::nullopt;
    nest.loops.push_back(loop);
  }
  if (nest.loops.size() > most_loops || !nest.loops.back()->innermost()) return std::nullopt;
  const auto statements = statements_of(nest.loops.back()->body);
  if (statements.empty()) return std::nullopt;
  nest.question = llvm::dyn_cast<clang::IfStmt>(statements.back());
  nest.declarations.assign(statements.begin(), statements.end() - 1);
  if (!nest.question || nest.question->getElse() || nest.question->getInit() || nest.question->getConditionVariable() ||
      !compares(nest.question->getCond()) || !may_repeat(context.ast, nest.question->getCond()))
    return std::nullopt;
  for (const clang::Stmt* statement : nest.declarations)
    if (!llvm::isa<clang::DeclStmt>(statement) || !may_repeat(context.ast, statement)) return std::nullopt;
  return nest;
}

class Interior final : public LoopTransformation {
 public:
  std::string_view name() const override { return "interior"; }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return !(loop.parent && loop.parent->only_child() == &loop) && nest_of(context, loop).has_value();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    const auto nest = nest_of(context, loop);
    if (!nest) return std::nullopt;
    const Substitution plain(context.ast);
    const std::string inside = fresh_name(context, "inside");
    std::string text = "bool " + inside + " = true";
    for (const Loop* one : nest->loops) text += " && " + one->lower_text + " < " + one->upper_text;
    text += ";\n";
    for (unsigned corner = 0; corner < 1u << nest->loops.size(); ++corner) {
      std::string at;
      for (std::size_t i = 0; i < nest->loops.size(); ++i) {
        const Loop& one = *nest->loops[i];
        at += "const " + one.type + " " + one.variable->getNameAsString() + " = " +
              (corner >> i & 1 ? one.upper_text + " - 1" : one.lower_text) + ";\n";
      }
      for (const clang::Stmt* statement : nest->declarations) at += plain.text(statement) + "\n";
      text += braces(at + inside + " = " + inside + " && (" + plain.text(nest->question->getCond()) + ");") + "\n";
    }
    Substitution unasked(context.ast);
    unasked.replace(nest->question, plain.text(nest->question->getThen()));
    text +=
        "if (" + inside + ") " + braces(unasked.text(loop.statement)) + " else " + braces(plain.text(loop.statement));
    if (plain.spoiled() || unasked.spoiled()) return std::nullopt;
    return braces(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_interior() {
  return std::make_unique<Interior>();
}

}  // namespace hone::frontend
