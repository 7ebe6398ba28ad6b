// Turns a branch that only chooses a value into a choice without control flow, which vectorises.
//
//   if (c) v = a;            v = c ? a : v;
//   if (c) v = a; else v = b;    v = c ? a : b;
//   if (c) v += a;           v += c ? a : 0;
//   if (c) ++v;              v += c ? 1 : 0;
// The values are computed whether chosen or not: a load that the condition guarded may then read what it must not.

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

// An update of one variable or element: target, operator and value as text.
struct Update {
  const clang::Expr* target = nullptr;
  std::string target_text, op, value;
};

bool simple(const clang::Expr* value) {
  Effects effects = effects_of(value);
  if (effects.calls_unknown) return false;
  for (auto* unary : all_of<clang::UnaryOperator>(value))
    if (unary->isIncrementDecrementOp()) return false;
  for (auto* binary : all_of<clang::BinaryOperator>(value))
    if (binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Comma) return false;
  return true;
}

std::optional<Update> read(const clang::ASTContext& ast, const clang::Stmt* branch) {
  auto statements = statements_of(branch);
  if (statements.size() != 1) return std::nullopt;
  Update update;
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statements[0]); unary && unary->isIncrementDecrementOp()) {
    update.target = unary->getSubExpr();
    update.op = std::string(unary->isIncrementOp() ? "+=" : "-=");
    update.value = std::string("1");
  } else if (auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statements[0])) {
    auto op = assignment->getOpcode();
    if (op != clang::BO_Assign && op != clang::BO_AddAssign && op != clang::BO_SubAssign && op != clang::BO_OrAssign &&
        op != clang::BO_XorAssign)
      return std::nullopt;
    if (!simple(assignment->getRHS())) return std::nullopt;
    update.target = assignment->getLHS();
    update.op = clang::BinaryOperator::getOpcodeStr(op).str();
    update.value = "(" + text_of(ast, assignment->getRHS()) + ")";
  } else {
    return std::nullopt;
  }
  if (!update.target->getType()->isArithmeticType() || !simple(update.target)) return std::nullopt;
  update.target_text = text_of(ast, update.target);
  if (update.target_text.empty() || update.value == "()") return std::nullopt;
  return update;
}

std::string rewritten(const KernelContext& context, const clang::IfStmt* branch) {
  if (branch->hasInitStorage() || branch->getConditionVariable() || branch->isConstexpr() || !simple(branch->getCond()))
    return {};
  std::string condition = text_of(context.ast, branch->getCond());
  auto then = read(context.ast, branch->getThen());
  if (!then || condition.empty()) return {};
  std::string otherwise = then->op == "=" ? then->target_text : "0";
  if (branch->getElse()) {
    auto other = read(context.ast, branch->getElse());
    if (!other || other->op != then->op || other->target_text != then->target_text) return {};
    otherwise = other->value;
  }
  return then->target_text + " " + then->op + " (" + condition + ") ? " + then->value + " : " + otherwise + ";";
}

// Those in a loop; outside of one nothing is gained.
std::vector<const clang::IfStmt*> choices(const KernelContext& context) {
  LoopNest nest(context);
  std::vector<const clang::IfStmt*> found;
  for (const Loop& loop : nest.loops())
    if (loop.innermost())
      for (auto* branch : all_of<clang::IfStmt>(loop.body))
        if (!rewritten(context, branch).empty()) found.push_back(branch);
  return found;
}

class BranchToSelect final : public Transformation {
 public:
  std::string_view name() const override { return "select"; }

  unsigned sites(const KernelContext& context) const override { return static_cast<unsigned>(choices(context).size()); }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    auto found = choices(context);
    return site < found.size() ? found[site] : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    auto found = choices(context);
    if (site >= found.size()) return std::nullopt;
    Edits edits(context);
    edits.replace(found[site], rewritten(context, found[site]));
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_branch_to_select() {
  return std::make_unique<BranchToSelect>();
}

}  // namespace hone::frontend
