#include "tool/transforms/cuda/fusion/step_code.h"

#include <algorithm>

#include "tool/frontend/parse/device_code.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

bool is_named(const clang::FunctionDecl& function, std::string_view name) {
  return function.getIdentifier() && std::string_view(function.getName()) == name;
}

const clang::CUDAKernelCallExpr* launch_of_statement(const clang::Expr* expression) {
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(expression)) expression = whole->getSubExpr();
  return llvm::dyn_cast<clang::CUDAKernelCallExpr>(expression->IgnoreImplicit());
}

// Parts of an expression that only pass on or combine what stands in them.
bool only_combines(const clang::Expr& expression) {
  return llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::ExplicitCastExpr, clang::FullExpr,
                   clang::MaterializeTemporaryExpr, clang::CXXBindTemporaryExpr, clang::BinaryOperator,
                   clang::ConditionalOperator, clang::MemberExpr, clang::CXXConstructExpr, clang::InitListExpr,
                   clang::CXXDefaultArgExpr>(expression);
}

bool is_constant(const clang::Expr& expression) {
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                   clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr, clang::UnaryExprOrTypeTraitExpr>(expression);
}

// Of CUDA's own functions some are for both sides and do not say so.
bool is_in_cuda_headers(const clang::FunctionDecl& function) {
  const auto& sources = function.getASTContext().getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(function.getLocation())) &&
         function.getDeclContext()->getRedeclContext()->isTranslationUnit();
}

}  // namespace

bool StepCode::allows(const clang::Stmt* statement) {
  if (!statement || llvm::isa<clang::NullStmt, clang::BreakStmt, clang::ContinueStmt>(statement)) return true;
  if (llvm::isa<clang::CompoundStmt>(statement)) return all_allowed(*statement);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) return allows_declared(*declared);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return allows_branch(*branch);
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement)) return allows_loop(*statement);
  if (const auto* leave = llvm::dyn_cast<clang::ReturnStmt>(statement))
    return !inside_.empty() && allows_value(leave->getRetValue());
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (!expression) return false;
  if (const auto* launch = launch_of_statement(expression)) return allows_launch(*launch);
  return allows_value(expression);
}

bool StepCode::all_allowed(const clang::Stmt& parent) {
  return std::ranges::all_of(parent.children(), [&](const clang::Stmt* child) { return allows(child); });
}

bool StepCode::allows_declared(const clang::DeclStmt& declared) {
  return std::ranges::all_of(declared.decls(), [&](const clang::Decl* each) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    return variable && variable->hasLocalStorage() && is_value(variable->getType()) &&
           (!variable->hasInit() || allows_value(variable->getInit()));
  });
}

bool StepCode::allows_branch(const clang::IfStmt& branch) {
  return !branch.getInit() && !branch.getConditionVariable() && !branch.isConstexpr() && all_allowed(branch);
}

bool StepCode::allows_loop(const clang::Stmt& loop) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop); counted && counted->getConditionVariable())
    return false;
  if (const auto* asking = llvm::dyn_cast<clang::WhileStmt>(&loop); asking && asking->getConditionVariable())
    return false;
  return all_allowed(loop);
}

bool StepCode::allows_launch(const clang::CUDAKernelCallExpr& call) {
  const auto* configuration = call.getConfig();
  if (!configuration || configuration->getNumArgs() < 2) return false;
  launches_.push_back(&call);
  return allows_value(configuration->getArg(0)) && allows_value(configuration->getArg(1)) &&
         std::ranges::all_of(call.arguments(), [&](const clang::Expr* handed) {
           return !llvm::isa<clang::CXXDefaultArgExpr>(handed) && allows_value(handed);
         });
}

bool StepCode::allows_value(const clang::Expr* expression) {
  if (!expression || is_constant(*expression)) return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return allows_reference(*reference);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return allows_unary(*unary);
  if (llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(expression)) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return allows_call(*call);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression); made && !is_value(made->getType()))
    return false;
  return only_combines(*expression) && all_allowed(*expression);
}

// &x[i] names a place and reads nothing.
bool StepCode::allows_unary(const clang::UnaryOperator& operation) {
  if (operation.getOpcode() == clang::UO_Deref) return false;
  if (operation.getOpcode() != clang::UO_AddrOf) return allows_value(operation.getSubExpr());
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(operation.getSubExpr()->IgnoreParens());
  return element && allows_value(element->getBase()) && allows_value(element->getIdx());
}

bool StepCode::allows_reference(const clang::DeclRefExpr& reference) {
  if (llvm::isa<clang::EnumConstantDecl>(reference.getDecl())) return true;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
  if (!variable || !is_value(variable->getType())) return false;
  if (!variable->hasLocalStorage())
    return variable->getType()->isArithmeticType() && variable->isUsableInConstantExpressions(*ast_);
  if (variable->getParentFunctionOrMethod() == launcher_ && std::ranges::find(variables_, variable) == variables_.end())
    variables_.push_back(variable);
  return true;
}

bool StepCode::allows_call(const clang::CallExpr& call) {
  const auto* function = call.getDirectCallee();
  if (!function) return false;
  const auto same_type = [&](const clang::Expr* argument) {
    return ast_->hasSameUnqualifiedType(argument->IgnoreParenImpCasts()->getType(),
                                        call.getArg(0)->IgnoreParenImpCasts()->getType());
  };
  const bool plain = call.getNumArgs() == 2 && std::ranges::all_of(call.arguments(), same_type);
  const bool bounds = is_named(*function, "min") || is_named(*function, "max");
  if (function->isInStdNamespace()) {
    if (is_named(*function, "swap") && plain)
      exchanges_.push_back(&call);
    else if (plain && bounds)
      bounds_.push_back(&call);
    else
      return false;
  } else if (is_global(*function) ||
             (!is_device(*function) && !(bounds && is_in_cuda_headers(*function)) && !allows_function(call))) {
    return false;
  }
  return std::ranges::all_of(call.arguments(), [&](const clang::Expr* handed) { return allows_value(handed); });
}

bool StepCode::allows_function(const clang::CallExpr& call) {
  const clang::FunctionDecl* definition = nullptr;
  const auto& sources = ast_->getSourceManager();
  if (!call.getDirectCallee()->hasBody(definition) || definition->isTemplateInstantiation() ||
      llvm::isa<clang::CXXMethodDecl>(definition) || definition->isVariadic() ||
      !is_value(definition->getReturnType()) ||
      sources.getFileID(sources.getExpansionLoc(definition->getLocation())) != sources.getMainFileID() ||
      std::ranges::find(inside_, definition) != inside_.end())
    return false;
  for (const clang::ParmVarDecl* parameter : definition->parameters())
    if (!is_value(parameter->getType()) || parameter->hasDefaultArg()) return false;
  const std::size_t launches = launches_.size();
  inside_.push_back(definition);
  const bool allowed = allows(definition->getBody()) && launches_.size() == launches;
  inside_.pop_back();
  host_calls_.push_back(&call);
  return allowed;
}

// What can be handed to a kernel, and spelled.
bool StepCode::is_value(clang::QualType type) const {
  return !type->isReferenceType() && !type->isArrayType() && !type->isDependentType() && !type.isVolatileQualified() &&
         type.isTriviallyCopyableType(*ast_) && !plain_type(*ast_, type).empty();
}

}  // namespace hone::frontend
