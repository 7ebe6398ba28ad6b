// Turns a branch that only chooses a value into a choice without control flow, which vectorises.
//
//   if (c) v = a;            v = c ? a : v;
//   if (c) v = a; else v = b;    v = c ? a : b;
//   if (c) v += a;           v += c ? a : 0;
//   if (c) ++v;              v += c ? 1 : 0;
// The values are computed whether chosen or not: a load that the condition guarded may then read what it must not.
// Compilers turn such a choice of a floating-point variable's value into a branch again, which costs much where it
// cannot be foreseen. With `masks` the bits are chosen, which they leave alone.

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

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

// A choice between two values for a target.
struct Choice {
  Update then;
  std::string condition, otherwise;
};

std::optional<Choice> choice_of(const KernelContext& context, const clang::IfStmt* branch) {
  if (branch->hasInitStorage() || branch->getConditionVariable() || branch->isConstexpr() || !simple(branch->getCond()))
    return std::nullopt;
  const std::string condition = text_of(context.ast, branch->getCond());
  const auto then = read(context.ast, branch->getThen());
  if (!then || condition.empty()) return std::nullopt;
  Choice choice{*then, condition, then->op == "=" ? then->target_text : "0"};
  if (branch->getElse()) {
    const auto other = read(context.ast, branch->getElse());
    if (!other || other->op != then->op || other->target_text != then->target_text) return std::nullopt;
    choice.otherwise = other->value;
  }
  return choice;
}

std::string chosen(const Choice& choice) {
  return choice.then.target_text + " " + choice.then.op + " (" + choice.condition + ") ? " + choice.then.value + " : " +
         choice.otherwise + ";";
}

// Is the target a local float or double of C++, which alone has the bits of a value in an expression?
bool has_masks(const KernelContext& context, const Choice& choice) {
  const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(choice.then.target->IgnoreParens());
  const clang::QualType type = choice.then.target->getType().getCanonicalType();
  const bool floating =
      type->isSpecificBuiltinType(clang::BuiltinType::Float) || type->isSpecificBuiltinType(clang::BuiltinType::Double);
  return target && floating && choice.then.op == "=" && !is_c(context.ast) && !context.ast.getLangOpts().CUDA;
}

std::string chosen_by_masks(const KernelContext& context, const Choice& choice) {
  const bool wide = context.ast.getTypeSizeInChars(choice.then.target->getType()).getQuantity() == 8;
  const std::string type = wide ? "double" : "float", bits = wide ? "unsigned long long" : "unsigned";
  const std::string mask = fresh_name(context, "mask");
  const auto bits_of = [&](const std::string& value) {
    return "__builtin_bit_cast(" + bits + ", " + converted(context.ast, type, value) + ")";
  };
  return braces("const " + bits + " " + mask + " = -" +
                converted(context.ast, bits, "(" + choice.condition + ") ? 1 : 0") + ";\n" + choice.then.target_text +
                " = __builtin_bit_cast(" + type + ", (" + bits_of(choice.then.value) + " & " + mask + ") | (" +
                bits_of(choice.otherwise) + " & ~" + mask + "));");
}

// Those in a loop; outside of one nothing is gained.
std::vector<const clang::IfStmt*> choices(const KernelContext& context) {
  LoopNest nest(context);
  std::vector<const clang::IfStmt*> found;
  for (const Loop& loop : nest.loops())
    if (loop.innermost())
      for (auto* branch : all_of<clang::IfStmt>(loop.body))
        if (choice_of(context, branch)) found.push_back(branch);
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

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    const auto found = choices(context);
    const bool masks = site < found.size() && has_masks(context, *choice_of(context, found[site]));
    return masks ? std::vector<std::vector<int>>{{0, 1}} : std::vector<std::vector<int>>{};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    const auto found = choices(context);
    if (site >= found.size()) return std::nullopt;
    const Choice choice = *choice_of(context, found[site]);
    const bool masks = !arguments.empty() && arguments.front() > 0 && has_masks(context, choice);
    Edits edits(context);
    edits.replace(found[site], masks ? chosen_by_masks(context, choice) : chosen(choice));
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_branch_to_select() {
  return std::make_unique<BranchToSelect>();
}

}  // namespace hone::frontend
