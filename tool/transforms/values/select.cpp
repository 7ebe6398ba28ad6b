// Turns a branch that only chooses a value into a choice without control flow, which vectorises.
//
//   if (c) v = a;            v = c ? a : v;
//   if (c) v = a; else v = b;    v = c ? a : b;
//   if (c) v += a;           v += c ? a : 0;
//   if (c) ++v;              v += c ? 1 : 0;
//   if (c) v = a; else if (d) v = b;             v = c ? a : d ? b : v;
//   switch (k) { case 1: v = a; break; … }       v = k == 1 ? a : … : v;
//   if (c) { T t = f(); if (d) v = a; }          { T t = f(); v = c & d ? a : v; }
// The values are computed whether chosen or not: a load that the condition guarded may then read what it must not.
// Compilers turn such a choice of a floating-point variable's value into a branch again, which costs much where it
// cannot be foreseen. With `masks` the bits are chosen, which they leave alone.

#include <algorithm>

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

// Does it test whether a pointer is null, or compare pointers? C has no conversion to bool there that would tell.
bool asks_pointer(const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  if (condition->getType()->isAnyPointerType()) return true;
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(condition)) return asks_pointer(cast->getSubExpr());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition))
    return unary->getOpcode() == clang::UO_LNot && asks_pointer(unary->getSubExpr());
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  return binary && (binary->isLogicalOp() || binary->isComparisonOp()) &&
         (asks_pointer(binary->getLHS()) || asks_pointer(binary->getRHS()));
}

bool simple(const clang::Expr* value) {
  Effects effects = effects_of(value);
  if (effects.calls_unknown) return false;
  for (auto* unary : all_of<clang::UnaryOperator>(value))
    if (unary->isIncrementDecrementOp()) return false;
  for (auto* binary : all_of<clang::BinaryOperator>(value))
    if (binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Comma) return false;
  return true;
}

// `flag = !flag`, which compilers leave a branch where it is chosen, and no branch where it is added.
bool toggles(const clang::ASTContext& ast, const clang::BinaryOperator& assignment) {
  const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(assignment.getRHS()->IgnoreParenImpCasts());
  return assignment.getOpcode() == clang::BO_Assign && assignment.getLHS()->getType()->isBooleanType() && negated &&
         negated->getOpcode() == clang::UO_LNot &&
         text_of(ast, negated->getSubExpr()->IgnoreParenImpCasts()) == text_of(ast, assignment.getLHS());
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
    if (toggles(ast, *assignment)) {
      update.op = "^=";
      update.value = is_c(ast) ? "1" : "true";
    } else {
      update.op = clang::BinaryOperator::getOpcodeStr(op).str();
      update.value = "(" + text_of(ast, assignment->getRHS()) + ")";
    }
  } else {
    return std::nullopt;
  }
  if (!update.target->getType()->isArithmeticType() || !simple(update.target)) return std::nullopt;
  update.target_text = text_of(ast, update.target);
  if (update.target_text.empty() || update.value == "()") return std::nullopt;
  return update;
}

// A choice between values for a target: the first one whose condition holds, else what it is left with.
struct Choice {
  std::string declarations;                                 // of what the values are made of
  Update update;                                            // without its value
  std::vector<std::pair<std::string, std::string>> values;  // by condition
  std::string otherwise;
};

std::string kept_value(const Update& update) {
  if (update.value == "true") return "false";
  return update.op == "=" ? update.target_text : "0";
}

bool updates_the_same(const Update& one, const Update& other) {
  return one.op == other.op && one.target_text == other.target_text;
}

// A local that is computed whether it is needed or not: nothing that could trap where the condition does not hold.
bool is_harmless(const clang::Stmt* statement) {
  const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
  return declared && std::ranges::all_of(declared->decls(), [](const clang::Decl* inner) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
           return variable && variable->hasLocalStorage() && variable->getType()->isArithmeticType() &&
                  variable->hasInit() && simple(variable->getInit()) && !may_trap(variable->getInit());
         });
}

std::optional<Choice> choice_of(const KernelContext& context, const clang::IfStmt* branch);

// As an operand of &, which has no branch: true or false and nothing else.
std::string truth(const clang::ASTContext& ast, const clang::Expr* condition) {
  const std::string text = "(" + text_of(ast, condition) + ")";
  const clang::Expr* bare = condition->IgnoreParenImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const bool is_truth =
      bare->getType()->isBooleanType() || (binary && (binary->isComparisonOp() || binary->isLogicalOp()));
  return is_truth ? text : "(" + text + " != 0)";
}

// A branch whose last statement is another one, without an else in either. What stands in front of that are locals.
std::optional<Choice> nested_choice_of(const KernelContext& context, const clang::IfStmt& branch) {
  const auto statements = statements_of(branch.getThen());
  if (statements.empty() || !std::all_of(statements.begin(), statements.end() - 1, is_harmless) ||
      hides_names(branch.getThen(), branch.getCond()))
    return std::nullopt;
  std::string declarations;
  for (const clang::Stmt* one : statements)
    if (one != statements.back()) declarations += text_of(context.ast, one) + "\n";
  const auto* inner = llvm::dyn_cast<clang::IfStmt>(statements.back());
  std::optional<Choice> choice;
  if (!inner) {
    const auto update = read(context.ast, statements.back());
    if (!update) return std::nullopt;
    choice =
        Choice{declarations, *update, {{text_of(context.ast, branch.getCond()), update->value}}, kept_value(*update)};
  } else if (!inner->getElse() && !may_trap(inner->getCond()) && (choice = choice_of(context, inner))) {
    choice->declarations = declarations + choice->declarations;
    auto& condition = choice->values.front().first;
    const bool inner_is_joined = condition != text_of(context.ast, inner->getCond());
    condition = truth(context.ast, branch.getCond()) + " & " +
                (inner_is_joined ? condition : truth(context.ast, inner->getCond()));
  }
  return choice;
}

std::optional<Choice> choice_of(const KernelContext& context, const clang::IfStmt* branch) {
  if (branch->hasInitStorage() || branch->getConditionVariable() || branch->isConstexpr() ||
      !simple(branch->getCond()) || asks_pointer(branch->getCond()))
    return std::nullopt;
  const std::string condition = text_of(context.ast, branch->getCond());
  if (condition.empty()) return std::nullopt;
  const auto then = read(context.ast, branch->getThen());
  if (!then) return branch->getElse() ? std::nullopt : nested_choice_of(context, *branch);
  Choice choice{"", *then, {{condition, then->value}}, kept_value(*then)};
  if (!branch->getElse()) return choice;
  if (const auto* chained = llvm::dyn_cast<clang::IfStmt>(branch->getElse())) {
    const auto rest = choice_of(context, chained);
    if (!rest || !rest->declarations.empty() || !updates_the_same(rest->update, choice.update)) return std::nullopt;
    choice.values.insert(choice.values.end(), rest->values.begin(), rest->values.end());
    choice.otherwise = rest->otherwise;
    return choice;
  }
  const auto other = read(context.ast, branch->getElse());
  if (!other || !updates_the_same(*other, choice.update)) return std::nullopt;
  choice.otherwise = other->value;
  return choice;
}

// The cases of a switch, each of which does one thing and breaks.
struct Case {
  std::vector<const clang::Expr*> values;  // none: the default
  const clang::Stmt* update = nullptr;
};

// Labels in front of a statement, several in a row too.
const clang::Stmt* behind_labels(const clang::Stmt* statement, Case& into) {
  while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
    const auto* value = llvm::dyn_cast<clang::CaseStmt>(label);
    if (value && value->getRHS()) return nullptr;  // a range of gcc's
    if (value) into.values.push_back(value->getLHS());
    statement = label->getSubStmt();
  }
  return statement;
}

std::vector<Case> cases_of(const clang::SwitchStmt& choice) {
  std::vector<Case> cases;
  bool open = false;
  for (const clang::Stmt* statement : statements_of(choice.getBody())) {
    if (llvm::isa<clang::BreakStmt>(statement) && open) {
      open = false;
      continue;
    }
    if (open || !llvm::isa<clang::SwitchCase>(statement)) return {};
    Case next;
    next.update = behind_labels(statement, next);
    if (!next.update) return {};
    if (llvm::isa<clang::BreakStmt>(next.update)) return {};
    cases.push_back(next);
    open = true;
  }
  return cases;
}

// What needs no parentheses beside an operator.
std::string closed_text(const clang::ASTContext& ast, const clang::Expr* expression) {
  const std::string text = text_of(ast, expression);
  const clang::Expr* bare = expression->IgnoreImpCasts();
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(bare)) bare = constant->getSubExpr()->IgnoreImpCasts();
  const bool closed = llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::CharacterLiteral, clang::ParenExpr,
                                clang::ArraySubscriptExpr, clang::CallExpr, clang::MemberExpr>(bare);
  return closed || text.empty() ? text : "(" + text + ")";
}

std::optional<Choice> choice_of(const KernelContext& context, const clang::SwitchStmt* statement) {
  const std::string value = closed_text(context.ast, statement->getCond());
  if (statement->hasInitStorage() || statement->getConditionVariable() || !simple(statement->getCond()) ||
      value.empty())
    return std::nullopt;
  std::optional<Choice> choice;
  for (const Case& one : cases_of(*statement)) {
    const auto update = read(context.ast, one.update);
    if (!update || (choice && !updates_the_same(*update, choice->update))) return std::nullopt;
    if (!choice) choice = Choice{"", *update, {}, kept_value(*update)};
    std::string condition;
    for (const clang::Expr* label : one.values)
      condition += (condition.empty() ? "" : " || ") + value + " == " + closed_text(context.ast, label);
    if (one.values.empty())
      choice->otherwise = update->value;
    else
      choice->values.emplace_back(condition, update->value);
  }
  return choice && !choice->values.empty() ? choice : std::nullopt;
}

std::optional<Choice> choice_at(const KernelContext& context, const clang::Stmt* statement) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return choice_of(context, branch);
  const auto* several = llvm::dyn_cast<clang::SwitchStmt>(statement);
  return several ? choice_of(context, several) : std::nullopt;
}

std::string chosen(const Choice& choice) {
  std::string value = choice.otherwise;
  for (auto one = choice.values.rbegin(); one != choice.values.rend(); ++one) {
    const bool last = one == choice.values.rbegin();
    value = "(" + one->first + ") ? " + one->second + " : " + (last ? value : "(" + value + ")");
  }
  const std::string update = choice.update.target_text + " " + choice.update.op + " " + value + ";";
  return choice.declarations.empty() ? update : braces(choice.declarations + update);
}

// Is the target a float or double of C++, which alone has the bits of a value in an expression?
bool has_masks(const KernelContext& context, const Choice& choice) {
  const clang::QualType type = choice.update.target->getType().getCanonicalType();
  const bool floating =
      type->isSpecificBuiltinType(clang::BuiltinType::Float) || type->isSpecificBuiltinType(clang::BuiltinType::Double);
  const bool arithmetic = choice.update.op == "=" || choice.update.op == "+=" || choice.update.op == "-=";
  return floating && arithmetic && !is_c(context.ast) && !context.ast.getLangOpts().CUDA;
}

std::string chosen_by_masks(const KernelContext& context, const Choice& choice) {
  const bool wide = context.ast.getTypeSizeInChars(choice.update.target->getType()).getQuantity() == 8;
  const std::string type = wide ? "double" : "float", bits = wide ? "unsigned long long" : "unsigned";
  const std::string mask = fresh_name(context, "mask");
  const auto bits_of = [&](const std::string& value) {
    return "__builtin_bit_cast(" + bits + ", " + converted(context.ast, type, value) + ")";
  };
  std::string masks, value = bits_of(choice.otherwise);
  for (std::size_t left = choice.values.size(); left > 0; --left) {
    const auto& [condition, wanted] = choice.values[left - 1];
    const std::string name = left == 1 ? mask : mask + "_" + std::to_string(left);
    masks +=
        "const " + bits + " " + name + " = -" + converted(context.ast, bits, "(" + condition + ") ? 1 : 0") + ";\n";
    value = "(" + bits_of(wanted) + " & " + name + ") | (" + value + " & ~" + name + ")";
  }
  return braces(choice.declarations + masks + choice.update.target_text + " " + choice.update.op +
                " __builtin_bit_cast(" + type + ", " + value + ");");
}

// Those in a loop, as outside of one nothing is gained. A chain counts once.
std::vector<const clang::Stmt*> choices(const KernelContext& context) {
  LoopNest nest(context);
  std::vector<const clang::Stmt*> found;
  for (const Loop& loop : nest.loops()) {
    if (!loop.innermost()) continue;
    for (auto* statement : all_of<clang::Stmt>(loop.body)) {
      const bool chained = !found.empty() && holds(found.back(), statement);
      if (!chained && choice_at(context, statement)) found.push_back(statement);
    }
  }
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
    const bool masks = site < found.size() && has_masks(context, *choice_at(context, found[site]));
    return masks ? std::vector<std::vector<int>>{{0, 1}} : std::vector<std::vector<int>>{};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    const auto found = choices(context);
    if (site >= found.size()) return std::nullopt;
    const Choice choice = *choice_at(context, found[site]);
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
