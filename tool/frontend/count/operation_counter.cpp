#include "tool/frontend/count/operation_counter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tool/frontend/count/mathematical_functions.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t kMostTerms = 256;
constexpr double kUsualSize = 1000;  // of every scalar, to tell which side of a branch costs more

void add(OperationCounter::Counts& into, const OperationCounter::Counts& counts) {
  for (const auto& [kind, count] : counts) into[kind] += count;
}

double at_usual_size(const OperationCounter::Counts& counts) {
  double sum = 0;
  for (const auto& [kind, count] : counts) sum += count.at_all(kUsualSize);
  return sum;
}

const char* kind_of(BinaryOperatorKind opcode) {
  switch (opcode) {
    case BO_Add:
    case BO_Sub:
      return "add";
    case BO_Mul:
      return "multiply";
    case BO_Div:
    case BO_Rem:
      return "divide";
    case BO_And:
    case BO_Or:
    case BO_Xor:
    case BO_Shl:
    case BO_Shr:
      return "bits";
    default:
      return BinaryOperator::isComparisonOp(opcode) ? "compare" : "";
  }
}

// Access to a container of the standard library: addressing, whatever its body does.
bool is_access(const FunctionDecl& function) {
  constexpr std::array<std::string_view, 9> kNames = {"operator[]", "at",    "begin", "end", "data",
                                                      "size",       "empty", "front", "back"};
  const std::string name = function.getNameAsString();
  return llvm::isa<CXXMethodDecl>(function) && function.isInStdNamespace() && std::ranges::count(kNames, name) > 0;
}

bool moves_bytes(std::string_view name) {
  constexpr std::string_view builtin = "__builtin_";
  if (name.starts_with(builtin)) name.remove_prefix(builtin.size());
  constexpr std::array<std::string_view, 7> kNames = {"memcpy", "memmove",     "memset",  "assume_aligned",
                                                      "expect", "unreachable", "prefetch"};
  return std::ranges::count(kNames, name) > 0;
}

const VarDecl* variable_of(const Expr* expression) {
  const auto* use = expression ? llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  return use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
}

}  // namespace

// `for (int i = first; …; i += step)`.
struct OperationCounter::Loop {
  const VarDecl* counter = nullptr;
  const Expr* first = nullptr;
  Polynomial::Symbol symbol = 0;
  Polynomial start;
  double step = 0;

  bool find_step(const Expr* increment, Affine& affine);
  bool find_start(const Stmt* init);
};

bool OperationCounter::Loop::find_step(const Expr* increment, Affine& affine) {
  if (!increment) return false;
  increment = increment->IgnoreParenImpCasts();
  std::optional<Polynomial> by;
  double sign = 1;
  if (const auto* count = llvm::dyn_cast<UnaryOperator>(increment); count && count->isIncrementDecrementOp()) {
    counter = variable_of(count->getSubExpr());
    by = Polynomial(count->isIncrementOp() ? 1 : -1);
  } else if (const auto* assign = llvm::dyn_cast<BinaryOperator>(increment); assign && assign->isAssignmentOp()) {
    counter = variable_of(assign->getLHS());
    if (assign->getOpcode() == BO_AddAssign || assign->getOpcode() == BO_SubAssign) {
      by = affine.value(assign->getRHS());
      sign = assign->getOpcode() == BO_AddAssign ? 1 : -1;
    } else if (const auto* sum = llvm::dyn_cast<BinaryOperator>(assign->getRHS()->IgnoreParenImpCasts());
               sum && counter && assign->getOpcode() == BO_Assign && sum->isAdditiveOp()) {
      const bool counter_first = variable_of(sum->getLHS()) == counter;
      if (!counter_first && (sum->getOpcode() == BO_Sub || variable_of(sum->getRHS()) != counter)) return false;
      by = affine.value(counter_first ? sum->getRHS() : sum->getLHS());
      sign = sum->getOpcode() == BO_Add ? 1 : -1;
    }
  }
  const std::optional<double> constant = by ? by->constant() : std::nullopt;
  if (!counter || !counter->getType()->isIntegerType() || !constant || *constant == 0) return false;
  step = sign * *constant;
  return true;
}

bool OperationCounter::Loop::find_start(const Stmt* init) {
  if (const auto* declared = llvm::dyn_cast_or_null<DeclStmt>(init)) {
    if (std::ranges::any_of(declared->decls(), [&](const Decl* one) { return one == counter; }))
      first = counter->getInit();
  } else if (const auto* assign = llvm::dyn_cast_or_null<BinaryOperator>(init);
             assign && assign->getOpcode() == BO_Assign && variable_of(assign->getLHS()) == counter) {
    first = assign->getRHS();
  }
  return first != nullptr;
}

void OperationCounter::fail(const Stmt& where, const std::string& why) {
  if (!failure_.empty()) return;
  const PresumedLoc place =
      context_.getSourceManager().getPresumedLoc(context_.getSourceManager().getExpansionLoc(where.getBeginLoc()));
  failure_ = why + (place.isValid() ? " at line " + std::to_string(place.getLine()) : "");
}

OperationCounter::Counts OperationCounter::count(const FunctionDecl& function) {
  Counts counts;
  enter(function);
  entered_.insert(function.getCanonicalDecl());
  statement(function.getBody(), counts);
  return counts;
}

void OperationCounter::enter(const FunctionDecl& function) {
  modified_.merge(modified_in(function.getBody()));
  for (const ParmVarDecl* parameter : function.parameters())
    if (modified_.contains(parameter)) affine_.forget(*parameter);
}

void OperationCounter::children(const Stmt& statement_above, Counts& into) {
  for (const Stmt* child : statement_above.children()) statement(child, into);
}

void OperationCounter::statement(const Stmt* what, Counts& into) {
  if (!what || !failure_.empty()) return;
  if (const auto* value = llvm::dyn_cast<Expr>(what)) return expression(*value, into);
  if (const auto* counted = llvm::dyn_cast<ForStmt>(what)) return loop(*counted, into);
  if (const auto* either = llvm::dyn_cast<IfStmt>(what)) return branch(*either, into);
  if (llvm::isa<DeclStmt>(what)) return declarations(*what, into);
  if (const auto* parallel = llvm::dyn_cast<OMPExecutableDirective>(what))
    return statement(parallel->hasAssociatedStmt() ? parallel->getRawStmt() : nullptr, into);
  if (llvm::isa<WhileStmt, DoStmt, CXXForRangeStmt>(what))
    return fail(*what, "the trips of the loop are not a formula over the parameters");
  if (llvm::isa<SwitchStmt>(what)) return fail(*what, "which case of the switch is taken is not known");
  if (llvm::isa<GotoStmt, IndirectGotoStmt, AsmStmt, CXXTryStmt>(what))
    return fail(*what, "the course of the code is not known behind the statement");
  children(*what, into);  // blocks, labels, attributes, return
}

void OperationCounter::declarations(const Stmt& statement_of_them, Counts& into) {
  for (const Decl* declared : llvm::cast<DeclStmt>(statement_of_them).decls()) {
    const auto* variable = llvm::dyn_cast<VarDecl>(declared);
    if (!variable || !variable->hasInit() || variable->isStaticLocal() || variable->isConstexpr()) continue;
    statement(variable->getInit(), into);
    if (modified_.contains(variable)) continue;
    if (auto value = affine_.value(variable->getInit())) affine_.set(*variable, *std::move(value));
  }
}

void OperationCounter::branch(const IfStmt& either, Counts& into) {
  statement(either.getInit(), into);
  statement(either.getConditionVariableDeclStmt(), into);
  bool taken = false;
  if (either.getCond() && !either.getCond()->isValueDependent() &&
      either.getCond()->EvaluateAsBooleanCondition(taken, context_))
    return statement(taken ? either.getThen() : either.getElse(), into);
  statement(either.getCond(), into);
  alternatives(either.getThen(), either.getElse(), into);
}

void OperationCounter::alternatives(const Stmt* one, const Stmt* other, Counts& into) {
  Counts first, second;
  statement(one, first);
  statement(other, second);
  add(into, at_usual_size(first) >= at_usual_size(second) ? first : second);
}

// How often the condition holds. It is brought to "distance > 0" or ">= 0", and each trip takes the same off it.
std::optional<Polynomial> OperationCounter::trips(const Expr* condition, const Loop& loop) {
  const auto* comparison = condition ? llvm::dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!comparison) return std::nullopt;
  if (comparison->getOpcode() == BO_LAnd) {  // the other one leaves early
    const std::optional<Polynomial> left = trips(comparison->getLHS(), loop);
    return left ? left : trips(comparison->getRHS(), loop);
  }
  if (!comparison->isRelationalOp() && comparison->getOpcode() != BO_NE) return std::nullopt;
  const std::optional<Polynomial> left = affine_.value(comparison->getLHS()),
                                  right = affine_.value(comparison->getRHS());
  if (!left || !right) return std::nullopt;
  const BinaryOperatorKind opcode = comparison->getOpcode();
  const Polynomial distance = opcode == BO_GT || opcode == BO_GE ? *left - *right : *right - *left;
  const std::vector<Polynomial> parts = distance.by_powers_of(loop.symbol);
  const std::optional<double> slope = parts.size() == 2 ? parts[1].constant() : std::nullopt;
  if (!slope) return std::nullopt;
  const double change = *slope * loop.step;
  if (opcode != BO_NE && change >= 0) return std::nullopt;  // runs away from its end
  const bool inclusive = opcode == BO_LE || opcode == BO_GE;
  Polynomial trips = (parts[0] + parts[1] * loop.start + Polynomial(inclusive ? 1 : 0)) * Polynomial(-1 / change);
  if (const std::optional<double> constant = trips.constant())
    return Polynomial(std::max(0.0, std::ceil(*constant - 1e-9)));
  return trips;
}

void OperationCounter::loop(const ForStmt& counted, Counts& into) {
  Loop loop;
  const auto* increments = llvm::dyn_cast_or_null<BinaryOperator>(counted.getInc());
  const bool found =
      increments && increments->getOpcode() == BO_Comma
          ? loop.find_step(increments->getLHS(), affine_) || loop.find_step(increments->getRHS(), affine_)
          : loop.find_step(counted.getInc(), affine_);
  const std::string unknown = "the trips of the loop are not a formula over the parameters";
  if (!found || !loop.find_start(counted.getInit()) || modified_in(counted.getBody()).contains(loop.counter))
    return fail(counted, unknown);
  const std::optional<Polynomial> start = affine_.value(loop.first);
  if (!start) return fail(counted, unknown);
  loop.start = *start;
  loop.symbol = next_counter_++;
  affine_.set(*loop.counter, Polynomial::symbol(loop.symbol));
  const std::optional<Polynomial> count = trips(counted.getCond(), loop);
  if (!count) return fail(counted, unknown);

  Counts body;
  statement(counted.getBody(), body);
  affine_.forget(*loop.counter);
  for (const auto& [kind, once] : body) {
    const Polynomial all = once.summed(loop.symbol, loop.start, loop.step, *count);
    if (all.size() > kMostTerms) return fail(counted, "the formula grows too long in the loop");
    into[kind] += all;
  }
}

void OperationCounter::operation(const std::string& kind, QualType type, Counts& into) const {
  type = type.getNonReferenceType();
  double lanes = 1;
  if (const auto* vector = type->getAs<VectorType>()) {
    lanes = vector->getNumElements();
    type = vector->getElementType();
  }
  const bool floating = type->isRealFloatingType() || type->isAnyComplexType();
  if (!floating && (addressing_ > 0 || !type->isIntegralOrEnumerationType())) return;
  into[{kind, floating}] += Polynomial(lanes);
}

bool OperationCounter::is_constant(const Expr& expression) const {
  return !expression.isValueDependent() && !expression.isGLValue() && expression.getType()->isArithmeticType() &&
         expression.isEvaluatable(context_);
}

void OperationCounter::expression(const Expr& what, Counts& into) {
  if (is_constant(what) || llvm::isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(&what)) return;
  if (const auto* operation = llvm::dyn_cast<BinaryOperator>(&what)) return binary(*operation, into);
  if (const auto* operation = llvm::dyn_cast<UnaryOperator>(&what)) return unary(*operation, into);
  if (const auto* called = llvm::dyn_cast<CallExpr>(&what)) return call(*called, into);
  if (const auto* filled = llvm::dyn_cast<CXXDefaultArgExpr>(&what)) return statement(filled->getExpr(), into);
  if (const auto* either = llvm::dyn_cast<ConditionalOperator>(&what)) {
    statement(either->getCond(), into);
    return alternatives(either->getTrueExpr(), either->getFalseExpr(), into);
  }
  const bool subscript = llvm::isa<ArraySubscriptExpr>(&what);
  addressing_ += subscript;
  children(what, into);
  addressing_ -= subscript;
}

void OperationCounter::binary(const BinaryOperator& what, Counts& into) {
  const bool address = what.getType()->isPointerType() && !what.isAssignmentOp() && !what.isCommaOp();
  const bool moves_pointer = what.isCompoundAssignmentOp() && what.getType()->isPointerType();
  addressing_ += address || moves_pointer;
  children(what, into);
  addressing_ -= address || moves_pointer;
  if (what.getOpcode() == BO_Assign || what.isLogicalOp() || what.isCommaOp()) return;
  if (const auto* compound = llvm::dyn_cast<CompoundAssignOperator>(&what))
    return operation(kind_of(BinaryOperator::getOpForCompoundAssignment(what.getOpcode())),
                     compound->getComputationResultType(), into);
  if (const std::string kind = kind_of(what.getOpcode()); !kind.empty())
    operation(kind, what.isComparisonOp() ? what.getLHS()->getType() : what.getType(), into);
}

void OperationCounter::unary(const UnaryOperator& what, Counts& into) {
  children(what, into);
  if (what.isIncrementDecrementOp()) operation("add", what.getType(), into);
  if (what.getOpcode() == UO_Not) operation("bits", what.getType(), into);
}

void OperationCounter::call(const CallExpr& what, Counts& into) {
  for (const Expr* argument : what.arguments()) statement(argument, into);
  const FunctionDecl* function = what.getDirectCallee();
  if (!function) return fail(what, "it is not known which function is called");
  const SourceManager& sources = context_.getSourceManager();
  const bool system = function->getBuiltinID() != 0 || sources.isInSystemHeader(function->getLocation());
  const std::string name = function->getNameAsString();
  if (system) {
    if (const std::string kind = operation_called(name); kind == "fma") {
      operation("multiply", what.getType(), into);
      return operation("add", what.getType(), into);
    } else if (!kind.empty()) {
      return operation(kind, what.getNumArgs() ? what.getArg(0)->getType() : what.getType(), into);
    }
    if (is_access(*function) || moves_bytes(name) || function->isNoReturn()) return;
  }
  const FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition)) return fail(what, "the body of '" + name + "' is not visible");
  if (!entered_.insert(definition->getCanonicalDecl()).second) return fail(what, "'" + name + "' calls itself");
  const unsigned object = llvm::isa<CXXOperatorCallExpr>(&what) && llvm::isa<CXXMethodDecl>(definition) ? 1 : 0;
  affine_.bind(*definition, what.getArgs() + object, what.getNumArgs() - object);
  enter(*definition);
  statement(definition->getBody(), into);
  entered_.erase(definition->getCanonicalDecl());
}

}  // namespace hone::frontend
