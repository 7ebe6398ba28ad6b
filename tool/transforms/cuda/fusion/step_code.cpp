#include "tool/transforms/cuda/fusion/step_code.h"

#include <algorithm>

#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/system_header.h"
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

bool is_real(const clang::Expr* expression) {
  return expression->getType()->hasFloatingRepresentation();
}

// A device's compiler joins a product and a sum into one rounding, and may take the smallest numbers for zero, where
// the host's does not. Passing on, choosing and negating are the same on both.
bool computes_with_reals(const clang::Expr& expression) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression))
    return binary->getOpcode() != clang::BO_Assign && binary->getOpcode() != clang::BO_Comma &&
           (is_real(binary->getLHS()) || is_real(binary->getRHS()));
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
    return unary->getOpcode() != clang::UO_Minus && unary->getOpcode() != clang::UO_Plus &&
           unary->getOpcode() != clang::UO_AddrOf && is_real(unary->getSubExpr());
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression);
  return cast && cast->getCastKind() == clang::CK_FloatingToBoolean;
}

// What a pointer or a reference of the host's names is where a device cannot read.
bool is_member_of_value(const clang::MemberExpr& member) {
  return !member.isArrow() && llvm::isa<clang::FieldDecl>(member.getMemberDecl());
}

// Those of the user may do anything.
bool only_copies(const clang::CXXConstructorDecl& constructor) {
  return constructor.isTrivial() || in_system_header(&constructor);
}

// A function of CUDA's for both sides, which gives the same there. `bounds`: min or max, of which some do not say so.
bool is_of_cuda(const clang::CallExpr& call, bool bounds) {
  const auto* function = call.getDirectCallee();
  if (!is_device(*function) && !(bounds && function->getDeclContext()->getRedeclContext()->isTranslationUnit()))
    return false;
  return !is_real(&call) && std::ranges::none_of(call.arguments(), is_real);
}

// As text of the file.
bool may_be_copied(const clang::FunctionDecl& definition) {
  const auto& sources = definition.getASTContext().getSourceManager();
  return !definition.isTemplateInstantiation() &&
         sources.getFileID(sources.getExpansionLoc(definition.getLocation())) == sources.getMainFileID();
}

bool takes_variable(const clang::CallExpr& call) {
  const auto* function = call.getDirectCallee();
  return !function || std::ranges::any_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
    return parameter->getType()->isReferenceType() && !parameter->getType()->getPointeeType().isConstQualified();
  });
}

// A device evaluates what is handed to a kernel once for each block of it, and the host not at all.
bool changes_variables(const clang::Expr* expression) {
  return std::ranges::any_of(all_of<clang::BinaryOperator>(expression),
                             [](const auto* each) { return each->isAssignmentOp(); }) ||
         std::ranges::any_of(all_of<clang::UnaryOperator>(expression),
                             [](const auto* each) { return each->isIncrementDecrementOp(); }) ||
         std::ranges::any_of(all_of<clang::CallExpr>(expression),
                             [](const auto* call) { return takes_variable(*call); });
}

// What Clang has read is the host's side of an #ifdef __CUDA_ARCH__.
bool may_have_sides(const clang::FunctionDecl& definition) {
  const auto& ast = definition.getASTContext();
  const auto& sources = ast.getSourceManager();
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(definition.getLocation()));
  const auto body = range_in(ast, file, definition.getBody()->getSourceRange());
  if (!body) return true;
  const SourceTokens tokens(std::string_view(sources.getBufferData(file)), ast.getLangOpts());
  for (std::size_t at = tokens.at_or_after(body->begin); at < tokens.size() && tokens[at].begin < body->end; ++at)
    if (tokens[at].directive) return true;
  return false;
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
  const auto allowed = [&](const clang::Expr* part) { return !changes_variables(part) && allows_value(part); };
  return allowed(configuration->getArg(0)) && allowed(configuration->getArg(1)) &&
         std::ranges::all_of(call.arguments(), [&](const clang::Expr* handed) {
           return !llvm::isa<clang::CXXDefaultArgExpr>(handed) && allowed(handed);
         });
}

bool StepCode::allows_value(const clang::Expr* expression) {
  if (!expression || is_constant(*expression)) return true;
  if (computes_with_reals(*expression)) return false;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return allows_reference(*reference);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return allows_unary(*unary);
  if (llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(expression)) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return allows_call(*call);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
      made && !(is_value(made->getType()) && only_copies(*made->getConstructor())))
    return false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
      member && !(is_member_of_value(*member) && is_value(member->getMemberDecl()->getType())))
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
             (in_system_header(function) ? !is_of_cuda(call, bounds) : !allows_function(call))) {
    return false;
  }
  if (bounds && std::ranges::any_of(call.arguments(), is_real)) return false;  // NaN comes out of one, not of the other
  return std::ranges::all_of(call.arguments(), [&](const clang::Expr* handed) { return allows_value(handed); });
}

// A function for both sides stays where it is; one of the host's alone is copied.
bool StepCode::allows_function(const clang::CallExpr& call) {
  const clang::FunctionDecl* definition = nullptr;
  if (!call.getDirectCallee()->hasBody(definition) || llvm::isa<clang::CXXMethodDecl>(definition) ||
      definition->isVariadic() || !is_value(definition->getReturnType()) || may_have_sides(*definition) ||
      std::ranges::find(inside_, definition) != inside_.end())
    return false;
  const bool stays = is_device(*definition);
  if (!stays && !may_be_copied(*definition)) return false;
  for (const clang::ParmVarDecl* parameter : definition->parameters())
    if (!is_value(parameter->getType()) || parameter->hasDefaultArg()) return false;
  const std::size_t launches = launches_.size();
  const auto exchanges = exchanges_, bounds = bounds_, host_calls = host_calls_;
  inside_.push_back(definition);
  const bool allowed = allows(definition->getBody()) && launches_.size() == launches;
  inside_.pop_back();
  if (stays) {
    exchanges_ = exchanges;
    bounds_ = bounds;
    host_calls_ = host_calls;
  } else {
    host_calls_.push_back(&call);
  }
  return allowed;
}

// What can be handed to a kernel, and spelled.
bool StepCode::is_value(clang::QualType type) const {
  return !type->isReferenceType() && !type->isArrayType() && !type->isDependentType() && !type.isVolatileQualified() &&
         type.isTriviallyCopyableType(*ast_) && !plain_type(*ast_, type).empty();
}

}  // namespace hone::frontend
