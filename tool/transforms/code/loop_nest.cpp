#include "tool/transforms/code/loop_nest.h"

#include <algorithm>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

const clang::Expr* without_implicit_casts(const clang::Expr* expression) {
  return expression->IgnoreParenImpCasts();
}

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  if (!expression) return nullptr;
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(without_implicit_casts(expression));
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

std::optional<long long> constant(const clang::ASTContext& ast, const clang::Expr* expression) {
  clang::Expr::EvalResult result;
  if (!expression || expression->isValueDependent() || !expression->EvaluateAsInt(result, ast)) return std::nullopt;
  return result.Val.getInt().getExtValue();
}

// v += c, ++v, v++, v = v + c: the c; 0 for anything else.
long long step_of(const clang::ASTContext& ast, const clang::Expr* increment, const clang::VarDecl* variable) {
  increment = increment->IgnoreParens();
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(increment))
    return unary->isIncrementOp() && variable_of(unary->getSubExpr()) == variable ? 1 : 0;
  auto* binary = llvm::dyn_cast<clang::BinaryOperator>(increment);
  if (!binary || variable_of(binary->getLHS()) != variable) return 0;
  if (binary->getOpcode() == clang::BO_AddAssign) return constant(ast, binary->getRHS()).value_or(0);
  if (binary->getOpcode() != clang::BO_Assign) return 0;
  auto* sum = llvm::dyn_cast<clang::BinaryOperator>(without_implicit_casts(binary->getRHS()));
  if (!sum || sum->getOpcode() != clang::BO_Add) return 0;
  if (variable_of(sum->getLHS()) == variable) return constant(ast, sum->getRHS()).value_or(0);
  if (variable_of(sum->getRHS()) == variable) return constant(ast, sum->getLHS()).value_or(0);
  return 0;
}

std::string parenthesized(const clang::ASTContext& ast, const clang::Expr* expression) {
  std::string text = text_of(ast, expression);
  bool word = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (word || text.empty()) return text;
  return std::string("(").append(text).append(")");
}

// v < upper in its spellings. False where the condition is none of them.
bool read_condition(Loop& loop, const clang::Expr* condition) {
  auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(condition ? condition->IgnoreParenImpCasts() : nullptr);
  if (!test) return false;
  auto op = test->getOpcode();
  const clang::Expr *left = test->getLHS(), *right = test->getRHS();
  if (variable_of(left) != loop.variable) {
    if (variable_of(right) == loop.variable) {
      std::swap(left, right);
      op = clang::BinaryOperator::reverseComparisonOp(op);
    }
  }
  // v + 1 <= upper is v < upper.
  if (auto* sum = llvm::dyn_cast<clang::BinaryOperator>(without_implicit_casts(left));
      sum && op == clang::BO_LE && sum->getOpcode() == clang::BO_Add && variable_of(sum->getLHS()) == loop.variable) {
    auto* one = llvm::dyn_cast<clang::IntegerLiteral>(without_implicit_casts(sum->getRHS()));
    if (one && one->getValue() == 1) {
      loop.upper = right;
      return true;
    }
  }
  if (variable_of(left) != loop.variable) return false;
  if (op == clang::BO_LT || (op == clang::BO_NE && loop.step == 1)) {
    loop.upper = right;
  } else if (op == clang::BO_LE) {
    loop.upper = right;
    loop.inclusive = true;
  } else {
    return false;
  }
  return true;
}

// Where a variable from outside the header is used by other code than loops that count with it, its value matters
// there. So it does in a loop that begins with what another one left, or whose body sets it anew.
bool used_elsewhere(const clang::Stmt* root, const clang::VarDecl* variable) {
  if (!root) return false;
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(root)) return reference->getDecl() == variable;
  if (auto* loop = llvm::dyn_cast<clang::ForStmt>(root)) {
    auto* start = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
    if (start && start->getOpcode() == clang::BO_Assign && variable_of(start->getLHS()) == variable)
      return mentions(start->getRHS(), variable) || writes_variable(loop->getBody(), variable);
  }
  for (const clang::Stmt* child : root->children())
    if (used_elsewhere(child, variable)) return true;
  return false;
}

std::string type_text(const clang::ASTContext& ast, clang::QualType type) {
  type = type.getUnqualifiedType();
  if (type->getContainedAutoType()) type = type.getCanonicalType();
  clang::PrintingPolicy policy(ast.getLangOpts());
  return type.getAsString(policy);
}

void read_header(Loop& loop, const clang::ASTContext& ast, const clang::FunctionDecl* kernel) {
  const clang::ForStmt* statement = loop.as_for();
  if (!statement || !statement->getInit() || !statement->getCond() || !statement->getInc() ||
      statement->getConditionVariable())
    return;
  if (auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement->getInit())) {
    if (!declared->isSingleDecl()) return;
    loop.variable = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    if (!loop.variable || !loop.variable->hasInit()) return;
    loop.lower = loop.variable->getInit();
    loop.owns_variable = true;
  } else if (auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(statement->getInit())) {
    if (assigned->getOpcode() != clang::BO_Assign) return;
    loop.variable = variable_of(assigned->getLHS());
    loop.lower = assigned->getRHS();
    if (!loop.variable || !loop.variable->isLocalVarDecl()) return;
    if (used_elsewhere(kernel->getBody(), loop.variable)) return;
  } else {
    return;
  }
  if (!loop.variable->getType()->isIntegerType() || loop.variable->getType()->isBooleanType()) return;
  loop.step = step_of(ast, statement->getInc(), loop.variable);
  if (loop.step <= 0 || !read_condition(loop, statement->getCond())) return;
  // Strips are counted by division, which is another one of real numbers.
  for (const clang::Expr* bound : {loop.lower, loop.upper})
    if (without_implicit_casts(bound)->getType()->isFloatingType()) return;
  if (writes_variable(loop.body, loop.variable) || !invariant_in(loop.upper, loop, false)) return;
  loop.type = type_text(ast, loop.variable->getType());
  loop.lower_text = parenthesized(ast, loop.lower);
  loop.upper_text = parenthesized(ast, loop.upper);
  if (loop.lower_text.empty() || loop.upper_text.empty()) return;
  if (loop.inclusive) {
    // n - 1 inclusive is n exclusive: found often enough to be worth reading well.
    auto* minus = llvm::dyn_cast<clang::BinaryOperator>(without_implicit_casts(loop.upper));
    bool one = minus && minus->getOpcode() == clang::BO_Sub && constant(ast, minus->getRHS()) == 1;
    loop.upper_text =
        one ? parenthesized(ast, minus->getLHS()) : std::string("(").append(loop.upper_text).append(" + 1)");
  }
  loop.counted = true;
}

const clang::Stmt* body_of(const clang::Stmt* statement) {
  if (auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return loop->getBody();
  if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) return loop->getBody();
  if (auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) return loop->getBody();
  if (auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) return loop->getBody();
  return nullptr;
}

void collect_in_lambda(std::deque<Loop>& loops, const clang::LambdaExpr& lambda);

void collect(std::deque<Loop>& loops, const clang::Stmt* statement, Loop* parent) {
  if (!statement) return;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) return collect_in_lambda(loops, *lambda);
  if (const clang::Stmt* body = body_of(statement)) {
    Loop& loop = loops.emplace_back();
    loop.statement = statement;
    loop.body = body;
    loop.parent = parent;
    loop.depth = parent ? parent->depth + 1 : 0;
    if (parent) parent->children.push_back(&loop);
    parent = &loop;
  }
  if (auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt()) collect(loops, directive->getRawStmt(), parent);
    return;
  }
  if (auto* captured = llvm::dyn_cast<clang::CapturedStmt>(statement))
    return collect(loops, captured->getCapturedStmt(), parent);
  for (const clang::Stmt* child : statement->children()) collect(loops, child, parent);
}

void collect_in_lambda(std::deque<Loop>& loops, const clang::LambdaExpr& lambda) {
  if (!lambda.getCallOperator()->hasAttr<clang::AlwaysInlineAttr>()) return;
  const std::size_t before = loops.size();
  collect(loops, lambda.getBody(), nullptr);
  for (std::size_t at = before; at < loops.size(); ++at) loops[at].in_lambda = true;
}

bool pure_call(const clang::CallExpr* call) {
  auto* function = call->getDirectCallee();
  if (!function) return false;
  if (function->getBuiltinID() != 0 || function->hasAttr<clang::ConstAttr>() || function->hasAttr<clang::PureAttr>())
    return true;
  return function->isInStdNamespace() || function->isConstexpr();
}

void add_effects(Effects& effects, const clang::Stmt* statement, bool in_loop, bool in_switch) {
  if (!statement) return;
  if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::CXXThrowExpr>(statement))
    effects.leaves = true;
  if (llvm::isa<clang::BreakStmt>(statement) && !in_loop && !in_switch) effects.leaves = true;
  if (llvm::isa<clang::ContinueStmt>(statement) && !in_loop) effects.continues = true;
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(statement); call && !pure_call(call)) effects.calls_unknown = true;
  if (llvm::isa<clang::AsmStmt>(statement)) effects.calls_unknown = true;
  if (body_of(statement)) in_loop = true;
  if (llvm::isa<clang::SwitchStmt>(statement)) in_switch = true;
  if (llvm::isa<clang::LambdaExpr>(statement)) return;
  for (const clang::Stmt* child : statement->children()) add_effects(effects, child, in_loop, in_switch);
}

}  // namespace

Loop* Loop::only_child() const {
  auto inside = statements_of(body);
  if (inside.size() != 1 || children.size() != 1) return nullptr;
  return children[0]->statement == inside[0] && children[0]->counted ? children[0] : nullptr;
}

std::optional<long long> Loop::constant_lower(const clang::ASTContext& ast) const {
  return counted ? constant(ast, lower) : std::nullopt;
}

std::optional<long long> Loop::constant_trips(const clang::ASTContext& ast) const {
  if (!counted) return std::nullopt;
  auto low = constant(ast, lower), high = constant(ast, upper);
  if (!low || !high) return std::nullopt;
  long long span = *high - *low + (inclusive ? 1 : 0);
  return span <= 0 ? 0 : (span + step - 1) / step;
}

LoopNest::LoopNest(const KernelContext& context) : stop_(context.stop) {
  collect(loops_, context.kernel->getBody(), nullptr);
  for (Loop& loop : loops_) read_header(loop, context.ast, context.kernel);
}

Loop* LoopNest::of(const clang::Stmt* statement) {
  for (Loop& loop : loops_)
    if (loop.statement == statement) return &loop;
  return nullptr;
}

std::vector<Loop*> LoopNest::counted() {
  return where([](const Loop&) { return true; });
}

std::vector<Loop*> LoopNest::where(const std::function<bool(const Loop&)>& test) {
  std::vector<Loop*> found;
  for (Loop& loop : loops_) {
    if (stop_ && stop_->stop_requested()) break;
    if (loop.counted && test(loop)) found.push_back(&loop);
  }
  return found;
}

std::vector<const clang::Stmt*> statements_of(const clang::Stmt* body) {
  std::vector<const clang::Stmt*> statements;
  if (auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
    for (const clang::Stmt* statement : block->body())
      if (!llvm::isa<clang::NullStmt>(statement)) statements.push_back(statement);
  } else if (body && !llvm::isa<clang::NullStmt>(body)) {
    statements.push_back(body);
  }
  return statements;
}

bool has_jumps(const clang::FunctionDecl& function) {
  const clang::Stmt* body = function.getBody();
  return !all_of<clang::GotoStmt>(body).empty() || !all_of<clang::LabelStmt>(body).empty() ||
         !all_of<clang::OMPExecutableDirective>(body).empty();
}

Effects effects_of(const clang::Stmt* statement) {
  Effects effects;
  add_effects(effects, statement, false, false);
  return effects;
}

bool holds(const clang::Stmt* statement, const clang::Stmt* wanted) {
  if (!statement) return false;
  if (statement == wanted) return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return holds(child, wanted); });
}

const clang::VarDecl* local_variable(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

bool invariant_in(const clang::Expr* expression, const Loop& loop, bool memory_too) {
  const auto inside = [&](const clang::ValueDecl* declaration) { return declares(loop.statement, declaration); };
  for (auto* reference : all_of<clang::DeclRefExpr>(expression)) {
    auto* declaration = reference->getDecl();
    if (!llvm::isa<clang::VarDecl>(declaration)) continue;
    if (declaration == loop.variable || inside(declaration) || writes_variable(loop.statement, declaration))
      return false;
  }
  for (auto* call : all_of<clang::CallExpr>(expression))
    if (!pure_call(call)) return false;
  if (!memory_too) return true;
  for (auto* cast : all_of<clang::ImplicitCastExpr>(expression))
    if (cast->getCastKind() == clang::CK_LValueToRValue &&
        !llvm::isa<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
      return false;
  return true;
}

}  // namespace hone::frontend
