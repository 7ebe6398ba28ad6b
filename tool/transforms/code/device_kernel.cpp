#include "tool/transforms/code/device_kernel.h"

#include <algorithm>
#include <array>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr std::array<std::string_view, 4> builtins{"threadIdx", "blockIdx", "blockDim", "gridDim"};

std::optional<std::string_view> builtin_variable(const clang::ValueDecl* declaration) {
  if (!declaration || !declaration->getIdentifier()) return std::nullopt;
  const auto* found = std::find(builtins.begin(), builtins.end(), std::string_view(declaration->getName()));
  if (found == builtins.end()) return std::nullopt;
  return *found;
}

const clang::Expr* without_casts(const clang::Expr* expression) {
  return expression->IgnoreParenCasts();
}

bool is(const clang::Expr* expression, std::string_view variable, char dimension) {
  const auto index = builtin_index(without_casts(expression));
  return index && index->variable == variable && index->dimension == dimension;
}

// blockIdx.d * blockDim.d + threadIdx.d in any order: d.
std::optional<char> item_dimension(const clang::Expr* expression) {
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(without_casts(expression));
  if (!sum || sum->getOpcode() != clang::BO_Add) return std::nullopt;
  const clang::Expr *product = sum->getLHS(), *thread = sum->getRHS();
  auto index = builtin_index(without_casts(thread));
  if (!index || index->variable != "threadIdx") {
    std::swap(product, thread);
    index = builtin_index(without_casts(thread));
  }
  if (!index || index->variable != "threadIdx") return std::nullopt;
  const auto* blocks = llvm::dyn_cast<clang::BinaryOperator>(without_casts(product));
  if (!blocks || blocks->getOpcode() != clang::BO_Mul) return std::nullopt;
  const char d = index->dimension;
  const bool right = (is(blocks->getLHS(), "blockIdx", d) && is(blocks->getRHS(), "blockDim", d)) ||
                     (is(blocks->getLHS(), "blockDim", d) && is(blocks->getRHS(), "blockIdx", d));
  return right ? std::optional(d) : std::nullopt;
}

// A declaration of nothing but items' indices.
bool read_indices(const clang::ASTContext& ast, const clang::Stmt* statement, std::vector<ItemIndex>& items) {
  const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (!declared) return false;
  std::vector<ItemIndex> found;
  for (const clang::Decl* inner : declared->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
    if (!variable || !variable->hasInit() || !variable->getType()->isIntegerType()) return false;
    const auto dimension = item_dimension(variable->getInit());
    if (!dimension) return false;
    found.push_back({variable, *dimension, variable->getNameAsString(), plain_type(ast, variable->getType())});
  }
  items.insert(items.end(), found.begin(), found.end());
  return true;
}

void split(const clang::Expr* test, bool negated, std::vector<ItemCondition>& conditions) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test->IgnoreParenImpCasts());
  if (binary && binary->getOpcode() == (negated ? clang::BO_LOr : clang::BO_LAnd)) {
    split(binary->getLHS(), negated, conditions);
    split(binary->getRHS(), negated, conditions);
    return;
  }
  conditions.push_back({test, negated});
}

// if (…) return;
bool only_returns(const clang::IfStmt* branch) {
  const auto inside = statements_of(branch->getThen());
  const auto* leave = inside.size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(inside[0]) : nullptr;
  return leave && !leave->getRetValue() && !branch->getElse();
}

bool plain_branch(const clang::IfStmt* branch) {
  return !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr();
}

bool is_condition(const clang::Stmt* statement, bool last) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
  return branch && plain_branch(branch) && (only_returns(branch) || (last && !branch->getElse()));
}

// Splits the body into indices, declarations, conditions and work. False: not of the form.
bool read_body(const clang::ASTContext& ast, const clang::Stmt* body, DeviceKernel& kernel) {
  const auto statements = statements_of(body);
  std::size_t at = 0, last_condition = 0;
  for (std::size_t i = 0; i < statements.size(); ++i)
    if (is_condition(statements[i], i + 1 == statements.size())) last_condition = i + 1;
  for (; at < statements.size(); ++at) {
    const clang::Stmt* statement = statements[at];
    if (read_indices(ast, statement, kernel.items)) continue;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
        branch && is_condition(statement, at + 1 == statements.size())) {
      split(branch->getCond(), only_returns(branch), kernel.conditions);
      if (only_returns(branch)) continue;
      kernel.work = statements_of(branch->getThen());
      return true;
    }
    // Behind the first condition everything else is work.
    if (!kernel.conditions.empty() || at >= last_condition || !llvm::isa<clang::DeclStmt>(statement)) break;
    kernel.before.push_back(statement);
  }
  kernel.work.assign(statements.begin() + static_cast<std::ptrdiff_t>(at), statements.end());
  return true;
}

bool declares_shared(const KernelContext& context) {
  const auto range = range_of(context.ast, context.kernel->getBody());
  if (!range) return true;
  const auto& sources = context.sources();
  return sources.getBufferData(sources.getMainFileID())
      .substr(range->begin, range->end - range->begin)
      .contains("__shared__");
}

std::optional<TextRange> argument_range(const clang::ASTContext& ast, const clang::Expr* argument) {
  if (llvm::isa<clang::CXXDefaultArgExpr>(argument->IgnoreImplicit())) return std::nullopt;
  return range_of(ast, argument->getSourceRange());
}

}  // namespace

std::optional<BuiltinIndex> builtin_index(const clang::Expr* expression) {
  const clang::Expr *base = nullptr, *inner = expression->IgnoreParenImpCasts();
  llvm::StringRef member;
  if (const auto* property = llvm::dyn_cast<clang::PseudoObjectExpr>(inner))
    inner = property->getSyntacticForm()->IgnoreParens();
  if (const auto* property = llvm::dyn_cast<clang::MSPropertyRefExpr>(inner)) {
    base = property->getBaseExpr();
    member = property->getPropertyDecl()->getName();
  } else if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(inner)) {
    base = field->getBase();
    if (field->getMemberDecl()->getIdentifier()) member = field->getMemberDecl()->getName();
  }
  if (const auto* opaque = llvm::dyn_cast_or_null<clang::OpaqueValueExpr>(base)) base = opaque->getSourceExpr();
  const auto* reference = base ? llvm::dyn_cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
  const auto variable = reference ? builtin_variable(reference->getDecl()) : std::nullopt;
  if (!variable || member.size() != 1) return std::nullopt;
  return BuiltinIndex{*variable, member[0]};
}

// Clang wraps threadIdx.x so that the variable is not among the children.
bool uses_builtin_indices(const clang::Stmt* statement) {
  const auto properties = all_of<clang::MSPropertyRefExpr>(statement);
  if (std::any_of(properties.begin(), properties.end(), [](auto* one) { return builtin_index(one).has_value(); }))
    return true;
  const auto references = all_of<clang::DeclRefExpr>(statement);
  return std::any_of(references.begin(), references.end(),
                     [](auto* reference) { return builtin_variable(reference->getDecl()).has_value(); });
}

bool returns_early(const clang::Stmt* body) {
  return !all_of<clang::ReturnStmt>(body).empty() || !all_of<clang::GotoStmt>(body).empty();
}

bool synchronizes(const clang::Stmt* body) {
  const auto calls = all_of<clang::CallExpr>(body);
  return std::any_of(calls.begin(), calls.end(), [](const clang::CallExpr* call) {
    const auto* function = call->getDirectCallee();
    if (!function || !function->getIdentifier()) return false;
    const llvm::StringRef name = function->getName();
    return name.starts_with("__sync") || name.starts_with("__shfl") || name.starts_with("__ballot") ||
           name.starts_with("__barrier") || name.starts_with("__any") || name.starts_with("__all") || name == "sync";
  });
}

const ItemIndex* DeviceKernel::along(char dimension) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](auto& item) { return item.dimension == dimension; });
  return found == items.end() ? nullptr : &*found;
}

std::optional<Launch> launch_of(const KernelContext& context) {
  if (!context.launcher || !context.launcher->getBody()) return std::nullopt;
  Launch launch;
  for (const auto* call : all_of<clang::CUDAKernelCallExpr>(context.launcher->getBody())) {
    const auto* callee = call->getDirectCallee();
    if (!callee || callee->getCanonicalDecl() != context.kernel->getCanonicalDecl()) continue;
    if (launch.call) return std::nullopt;
    launch.call = call;
  }
  if (!launch.call || !launch.call->getConfig() || launch.call->getConfig()->getNumArgs() < 2) return std::nullopt;
  launch.grid_range = argument_range(context.ast, launch.call->getConfig()->getArg(0));
  launch.block_range = argument_range(context.ast, launch.call->getConfig()->getArg(1));
  if (!launch.grid_range || !launch.block_range) return std::nullopt;
  const Substitution plain(context.ast);
  launch.grid = plain.text(*launch.grid_range);
  launch.block = plain.text(*launch.block_range);
  return launch;
}

std::optional<std::array<long long, 3>> constant_shape(const KernelContext& context, const Launch& launch,
                                                       unsigned configuration) {
  std::array<long long, 3> shape{1, 1, 1};
  const auto read = [&](const clang::Expr* extent, long long& into) {
    clang::Expr::EvalResult value;
    if (extent->isValueDependent() || !extent->getType()->isIntegerType() || !extent->EvaluateAsInt(value, context.ast))
      return false;
    into = value.Val.getInt().getExtValue();
    return true;
  };
  const auto* written = launch.call->getConfig()->getArg(configuration)->IgnoreImplicit();
  while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(written)) {
    if (made->getNumArgs() == 1) {
      written = made->getArg(0)->IgnoreImplicit();
      continue;
    }
    for (unsigned i = 0; i < made->getNumArgs() && i < shape.size(); ++i)
      if (!read(made->getArg(i), shape[i])) return std::nullopt;
    return shape;
  }
  return read(written, shape[0]) ? std::optional(shape) : std::nullopt;
}

std::optional<DeviceKernel> device_kernel_of(const KernelContext& context) {
  const clang::Stmt* body = context.kernel->getBody();
  const auto launch = launch_of(context);
  if (!launch || !body || synchronizes(body) || declares_shared(context)) return std::nullopt;
  DeviceKernel kernel;
  kernel.launch = *launch;
  if (!read_body(context.ast, body, kernel) || kernel.items.empty() || kernel.work.empty()) return std::nullopt;
  for (const auto* part : {&kernel.before, &kernel.work})
    for (const clang::Stmt* statement : *part)
      if (uses_builtin_indices(statement) || returns_early(statement)) return std::nullopt;
  for (const ItemCondition& condition : kernel.conditions)
    if (uses_builtin_indices(condition.test)) return std::nullopt;
  for (std::size_t i = 0; i < kernel.items.size(); ++i) {
    if (writes_variable(body, kernel.items[i].variable) || kernel.items[i].type.empty()) return std::nullopt;
    for (std::size_t j = 0; j < i; ++j)
      if (kernel.items[j].dimension == kernel.items[i].dimension) return std::nullopt;
  }
  return kernel;
}

std::string text_of(const Substitution& changes, const std::vector<const clang::Stmt*>& statements) {
  std::string text;
  for (const clang::Stmt* statement : statements) text += changes.text(statement) + "\n";
  return text;
}

std::string text_of(const Substitution& changes, const ItemCondition& condition) {
  const auto* test = condition.test->IgnoreParenImpCasts();
  if (!condition.negated) {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test);
    const bool compares = binary && binary->isComparisonOp();
    return compares ? changes.text(test) : "(" + changes.text(test) + ")";
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test);
  if (binary && binary->isComparisonOp() && binary->getLHS()->getType()->isIntegerType() &&
      binary->getRHS()->getType()->isIntegerType())
    return changes.text(binary->getLHS()) + " " +
           clang::BinaryOperator::getOpcodeStr(clang::BinaryOperator::negateComparisonOp(binary->getOpcode())).str() +
           " " + changes.text(binary->getRHS());
  return "!(" + changes.text(test) + ")";
}

std::string text_of(const Substitution& changes, const std::vector<ItemCondition>& conditions) {
  std::string text;
  for (const ItemCondition& condition : conditions) text += (text.empty() ? "" : " && ") + text_of(changes, condition);
  return text;
}

std::string item_text(const Substitution& changes, const DeviceKernel& kernel) {
  const std::string before = text_of(changes, kernel.before), work = text_of(changes, kernel.work);
  if (kernel.conditions.empty()) return before + work;
  return before + "if (" + text_of(changes, kernel.conditions) + ") " + braces(work);
}

std::string conditions_at(const KernelContext& context, const DeviceKernel& kernel,
                          const std::vector<std::pair<const clang::VarDecl*, std::string>>& values) {
  Substitution changes(context.ast);
  for (const ItemCondition& condition : kernel.conditions)
    for (const auto& [variable, value] : values) changes.rename(condition.test, variable, value);
  return text_of(changes, kernel.conditions);
}

bool hold_between(const KernelContext& context, const DeviceKernel& kernel, const ItemIndex& item) {
  const auto is_linear = [&](const clang::Expr* side) {
    if (!mentions(side, item.variable)) return true;
    const auto value = IndexPolynomial::of(context.ast, side);
    return value && value->stride(item.variable) && all_of<clang::ArraySubscriptExpr>(side).empty();
  };
  return std::ranges::all_of(kernel.conditions, [&](const ItemCondition& condition) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition.test->IgnoreParenImpCasts());
    if (!mentions(condition.test, item.variable)) return true;
    return test && test->isRelationalOp() && is_linear(test->getLHS()) && is_linear(test->getRHS());
  });
}

}  // namespace hone::frontend
