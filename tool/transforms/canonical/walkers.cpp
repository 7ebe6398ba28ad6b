#include "tool/transforms/canonical/walkers.h"

#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/canonical/operation.h"
#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

bool is_always(const clang::ASTContext& ast, const clang::Expr* condition) {
  bool value = false;
  return condition && !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(value, ast) && value;
}

// The condition of `if (c) break;`.
const clang::Expr* breaking_condition(const clang::Stmt* statement) {
  const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(statement);
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable()) return nullptr;
  const auto then = statements_of(branch->getThen());
  return then.size() == 1 && llvm::isa<clang::BreakStmt>(then[0]) ? branch->getCond() : nullptr;
}

struct StepAt {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* by = nullptr;  // null: one
  bool back = false, postfix = false;
};

// ++w, w--, w += e, w = w - e.
std::optional<StepAt> step_at(const clang::Expr* expression) {
  const auto operation = operation_of(expression);
  const clang::VarDecl* variable = operation.left ? named_variable(operation.left) : nullptr;
  if (!variable) return std::nullopt;
  switch (operation.kind) {
    case clang::OO_PlusPlus:
    case clang::OO_MinusMinus:
      return StepAt{variable, nullptr, operation.kind == clang::OO_MinusMinus, operation.postfix};
    case clang::OO_PlusEqual:
    case clang::OO_MinusEqual:
      return StepAt{variable, operation.right, operation.kind == clang::OO_MinusEqual};
    case clang::OO_Equal: {
      const auto sum = operation_of(operation.right);
      if (!sum.is_sum()) return std::nullopt;
      if (named_variable(sum.left) == variable) return StepAt{variable, sum.right, sum.kind == clang::OO_Minus};
      if (sum.kind == clang::OO_Plus && named_variable(sum.right) == variable) return StepAt{variable, sum.left};
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool may_walk(clang::QualType type) {
  if (type.isVolatileQualified() || type.isConstQualified() || type->isReferenceType()) return false;
  return (type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType()) || type->isPointerType() ||
         type->isRecordType();
}

// What may be done to an iterator that is none of the language's own types.
bool reads_iterator(const clang::Stmt* parent) {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent);
  if (!call) return llvm::isa<clang::CXXRewrittenBinaryOperator>(parent);
  static const std::set<clang::OverloadedOperatorKind> reading = {
      clang::OO_Star,  clang::OO_Arrow,      clang::OO_Subscript, clang::OO_Plus,
      clang::OO_Minus, clang::OO_EqualEqual, clang::OO_Spaceship, clang::OO_ExclaimEqual,
      clang::OO_Less,  clang::OO_LessEqual,  clang::OO_Greater,   clang::OO_GreaterEqual};
  return reading.contains(call->getOperator());
}

class WalkReader {
 public:
  WalkReader(const KernelContext& context, const Loop& loop, const LoopParts& parts)
      : context_(context), loop_(loop), parts_(parts), stable_(context), written_(written_in(loop.statement)) {
    for (const auto* expression : all_of<clang::Expr>(loop.statement))
      if (const auto step = step_at(expression); step && is_candidate(step->variable))
        walkers_.try_emplace(step->variable, Walker{step->variable, {}, {}, {}});
    continues_ = effects_of(loop.body).continues;
  }

  std::vector<Walker> read() {
    if (!parts_.at_end) read_condition();
    for (const clang::Stmt* statement : statements_of(loop_.body))
      if (statement != parts_.guard) read_statement(statement, !continues_);
    if (parts_.at_end) read_condition();
    if (parts_.step) read_whole(parts_.step, true, true);
    std::vector<Walker> found;
    for (auto& [variable, walker] : walkers_)
      if (!strays_.contains(variable) && !(walker.each.is_number() && walker.each.constant() == 0))
        found.push_back(std::move(walker));
    std::ranges::sort(found, {}, [](const Walker& walker) { return walker.variable->getLocation(); });
    return found;
  }

 private:
  struct Mention {
    const clang::Expr* place = nullptr;
    std::optional<StepAt> step;  // none: its value is read
    bool always = true;
  };
  using Mentions = std::map<const clang::VarDecl*, std::vector<Mention>>;

  bool is_candidate(const clang::VarDecl* variable) const {
    return variable->hasLocalStorage() && may_walk(variable->getType()) &&
           (variable->getType()->isRecordType() || stable_.is_private(variable)) && !declares(loop_.body, variable);
  }

  void read_condition() {
    in_condition_ = true;
    if (parts_.condition) read_whole(parts_.condition, !(parts_.guard && parts_.at_end && continues_), false);
    in_condition_ = false;
  }

  void read_statement(const clang::Stmt* statement, bool always) {
    if (!statement) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) return read_whole(expression, always, true);
    if (llvm::isa<clang::CompoundStmt>(statement)) {
      for (const clang::Stmt* child : statement->children()) read_statement(child, always);
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
          read_whole(variable->getInit(), always && !variable->isStaticLocal(), false);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
               branch && !branch->getInit() && !branch->getConditionVariable()) {
      read_whole(branch->getCond(), always, false);
      read_statement(branch->getThen(), false);
      read_statement(branch->getElse(), false);
    } else {
      Mentions mentions;
      for (const clang::Stmt* child : statement->children()) read_part(child, false, statement, mentions);
      note(mentions, nullptr, false);
    }
  }

  // An expression that is evaluated as a whole. `alone`: nobody asks for its value.
  void read_whole(const clang::Expr* expression, bool always, bool alone) {
    if (const auto operation = operation_of(expression); alone && operation.kind == clang::OO_Comma) {
      read_whole(operation.left, always, true);
      read_whole(operation.right, always, true);
      return;
    }
    Mentions mentions;
    read_part(expression, always, nullptr, mentions);
    note(mentions, alone ? as_operand(expression) : nullptr, true);
  }

  void read_part(const clang::Stmt* part, bool always, const clang::Stmt* parent, Mentions& mentions) {
    if (!part) return;
    if (llvm::isa<clang::LambdaExpr, clang::StmtExpr, clang::UnaryExprOrTypeTraitExpr, clang::LabelStmt,
                  clang::AsmStmt>(part)) {
      for (const auto* reference : all_of<clang::DeclRefExpr>(part)) stray(reference->getDecl());
      if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(part))
        for (const auto& capture : lambda->captures())
          if (capture.capturesVariable()) stray(capture.getCapturedVar());
      return;
    }
    const auto* expression = llvm::dyn_cast<clang::Expr>(part);
    const bool through =
        expression &&
        llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::FullExpr, clang::MaterializeTemporaryExpr>(
            expression);
    if (expression && !through) {
      if (const auto step = step_at(expression); step && walkers_.contains(step->variable)) {
        mentions[step->variable].push_back({expression, step, always});
        if (step->by) read_part(step->by, always, expression, mentions);
        return;
      }
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
        return read_name(*reference, parent, mentions);
    }
    const clang::Stmt* significant = through && !reads_value(expression) ? parent : part;
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part);
    const bool choice = (binary && binary->isLogicalOp()) || llvm::isa<clang::AbstractConditionalOperator>(part);
    bool first = true;
    for (const clang::Stmt* child : part->children()) {
      read_part(child, always && (first || !choice), significant, mentions);
      first = false;
    }
  }

  static bool reads_value(const clang::Expr* expression) {
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression);
    return cast && cast->getCastKind() == clang::CK_LValueToRValue;
  }

  void read_name(const clang::DeclRefExpr& reference, const clang::Stmt* parent, Mentions& mentions) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (!variable || !walkers_.contains(variable)) return;
    const auto* cast = llvm::dyn_cast_or_null<clang::Expr>(parent);
    const bool reads =
        parent && (variable->getType()->isRecordType() ? reads_iterator(parent) : cast && reads_value(cast));
    if (reads)
      mentions[variable].push_back({&reference, std::nullopt, true});
    else
      stray(variable);
  }

  void stray(const clang::ValueDecl* variable) { strays_.insert(variable); }

  // Does the loop leave what a step goes by as it is?
  bool is_steady(const clang::Expr* by) const {
    return by->getType()->isIntegerType() && stable_.holds(by) &&
           std::ranges::none_of(all_of<clang::DeclRefExpr>(by), [&](const clang::DeclRefExpr* reference) {
             return written_.contains(reference->getDecl()) || declares(loop_.body, reference->getDecl());
           });
  }

  std::optional<LinearSum> distance_of(const StepAt& step) const {
    LinearSum by = LinearSum::number(1);
    if (step.by) {
      if (!is_steady(step.by)) return std::nullopt;
      const auto sum = LinearSum::of(context_.ast, step.by, [](const clang::VarDecl*) { return nullptr; });
      if (!sum) return std::nullopt;
      by = *sum;
    }
    return step.back ? LinearSum::number(0) - by : by;
  }

  void note(const Mentions& mentions, const clang::Expr* alone, bool may_step) {
    for (const auto& [variable, all] : mentions) {
      Walker& walker = walkers_.at(variable);
      const bool steps = std::ranges::any_of(all, [](const Mention& one) { return one.step.has_value(); });
      if (!steps) {
        for (const Mention& one : all) walker.uses.push_back({one.place, walker.each, false, false, in_condition_});
        continue;
      }
      const auto by = distance_of(all[0].step.value_or(StepAt{}));
      if (all.size() > 1 || !all[0].always || !may_step || !by) {
        stray(variable);
        continue;
      }
      const LinearSum behind = walker.each + *by;
      walker.uses.push_back({all[0].place, all[0].step->postfix ? walker.each : behind, true,
                             alone && as_operand(all[0].place) == alone, in_condition_});
      walker.each = behind;
      if (in_condition_) walker.by_condition = walker.by_condition + *by;
    }
  }

  const KernelContext& context_;
  const Loop& loop_;
  const LoopParts& parts_;
  StableValues stable_;
  std::set<const clang::ValueDecl*> written_;
  std::map<const clang::VarDecl*, Walker> walkers_;
  std::set<const clang::ValueDecl*> strays_;
  bool continues_ = false, in_condition_ = false;
};

}  // namespace

std::optional<LoopParts> parts_of(const clang::ASTContext& ast, const Loop& loop) {
  LoopParts parts;
  if (const auto* counting = loop.as_for()) {
    if (counting->getConditionVariable()) return std::nullopt;
    parts.start = counting->getInit();
    parts.condition = counting->getCond();
    parts.step = counting->getInc();
  } else if (const auto* asking = llvm::dyn_cast<clang::WhileStmt>(loop.statement)) {
    if (asking->getConditionVariable()) return std::nullopt;
    parts.condition = asking->getCond();
  } else if (const auto* asking = llvm::dyn_cast<clang::DoStmt>(loop.statement)) {
    parts.condition = asking->getCond();
    parts.at_end = true;
  } else {
    return std::nullopt;
  }
  if (parts.condition && !is_always(ast, parts.condition)) return parts;
  // for (;;) { if (c) break; … }
  parts.condition = nullptr;
  parts.at_end = false;
  const auto statements = statements_of(loop.body);
  if (statements.empty()) return std::nullopt;
  parts.ends_by_condition = true;
  parts.guard = statements.front();
  parts.condition = breaking_condition(parts.guard);
  if (parts.condition || parts.step) return parts.condition ? std::optional(parts) : std::nullopt;
  parts.at_end = true;
  parts.guard = statements.back();
  parts.condition = breaking_condition(parts.guard);
  return parts.condition ? std::optional(parts) : std::nullopt;
}

bool Walker::is_read() const {
  return std::ranges::any_of(uses, [](const Use& use) { return !use.step || !use.alone; });
}

std::vector<Walker> walkers_of(const KernelContext& context, const Loop& loop, const LoopParts& parts) {
  return WalkReader(context, loop, parts).read();
}

}  // namespace hone::frontend
