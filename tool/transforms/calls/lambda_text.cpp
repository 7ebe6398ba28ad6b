#include "tool/transforms/calls/lambda_text.h"

#include <algorithm>

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/calls/sequence.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

// The lambda that a local variable holds from its declaration on.
const clang::LambdaExpr* lambda_called(const clang::CallExpr& call) {
  const auto* called = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (!called || called->getOperator() != clang::OO_Call) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(as_spelled(called->getArg(0)));
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable || !variable->hasLocalStorage() || !variable->getInit() || variable->getType()->isReferenceType())
    return nullptr;
  return llvm::dyn_cast<clang::LambdaExpr>(as_spelled(variable->getInit()));
}

bool is_written(const clang::Stmt* body, const clang::ValueDecl* variable) {
  const auto names = [&](const clang::Expr* lvalue) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(lvalue->IgnoreParenImpCasts());
    return name && name->getDecl() == variable;
  };
  return std::ranges::any_of(all_of<clang::BinaryOperator>(body),
                             [&](const auto* one) { return one->isAssignmentOp() && names(one->getLHS()); }) ||
         std::ranges::any_of(all_of<clang::UnaryOperator>(body), [&](const auto* one) {
           return (one->isIncrementDecrementOp() || one->getOpcode() == clang::UO_AddrOf) && names(one->getSubExpr());
         });
}

// What it copied when it was made is the same when it is called.
bool copies_stay(const KernelContext& context, const clang::LambdaExpr& lambda) {
  return std::ranges::all_of(lambda.captures(), [&](const clang::LambdaCapture& capture) {
    if (!capture.capturesVariable() || capture.getCaptureKind() == clang::LCK_ByRef) return true;
    return capture.getCapturedVar()->getType().isConstQualified() ||
           !is_written(context.kernel->getBody(), capture.getCapturedVar());
  });
}

// No other variable of the kernel has the name of one that the value reads.
bool names_mean_the_same(const KernelContext& context, const clang::LambdaExpr& lambda) {
  for (const auto* name : all_of<clang::DeclRefExpr>(lambda.getBody())) {
    if (!llvm::isa<clang::VarDecl>(name->getDecl()) || name->getDecl()->getDeclContext() == lambda.getCallOperator())
      continue;
    for (const auto* statement : all_of<clang::DeclStmt>(context.kernel->getBody()))
      for (const clang::Decl* declared : statement->decls())
        if (const auto* other = llvm::dyn_cast<clang::NamedDecl>(declared);
            other && other != name->getDecl() && other->getName() == name->getDecl()->getName())
          return false;
  }
  return true;
}

}  // namespace

bool is_alike(clang::QualType a, clang::QualType b) {
  return a.getNonReferenceType().getCanonicalType().getUnqualifiedType() ==
         b.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

// Whether the lambda's body may stand where it is called: its names mean the same there, and what it has copied is what
// it would see.
bool is_transparent(const clang::LambdaExpr& lambda) {
  if (lambda.isMutable()) return false;
  return std::ranges::all_of(lambda.captures(), [](const clang::LambdaCapture& capture) {
    if (!capture.capturesVariable()) return capture.capturesThis();
    const clang::ValueDecl* variable = capture.getCapturedVar();
    if (variable->isInitCapture()) return false;
    return capture.getCaptureKind() == clang::LCK_ByRef || variable->getType()->isScalarType();
  });
}

bool takes(const clang::LambdaExpr& lambda, const Types& arguments) {
  const auto parameters = lambda.getCallOperator()->parameters();
  return std::ranges::equal(parameters, arguments, [](const clang::ParmVarDecl* parameter, clang::QualType argument) {
    const clang::QualType type = parameter->getType();
    return type->isDependentType() || type->getContainedAutoType() || is_alike(type, argument);
  });
}

void replace_parameter(Substitution& text, const clang::Stmt* within, const clang::ParmVarDecl* parameter,
                       const std::string& with) {
  for (const auto* name : all_of<clang::DeclRefExpr>(within))
    if (llvm::isa<clang::ParmVarDecl>(name->getDecl()) && name->getDecl()->getName() == parameter->getName() &&
        !parameter->getName().empty())
      text.replace(name, with);
}

std::optional<Operation> of_lambda(const KernelContext& context, const clang::LambdaExpr& lambda,
                                   const Types& arguments) {
  if (!is_transparent(lambda) || !takes(lambda, arguments)) return std::nullopt;
  const auto statements = statements_of(lambda.getBody());
  const auto* end = statements.size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(statements[0]) : nullptr;
  const clang::Expr* value = end ? end->getRetValue() : nullptr;
  if (!value || !is_quiet(value) || !all_of<clang::LambdaExpr>(value).empty() ||
      !range_of(context.ast, value->getSourceRange()))
    return std::nullopt;
  std::string type;
  if (lambda.hasExplicitResultType()) {
    const clang::QualType result = lambda.getCallOperator()->getReturnType().getNonReferenceType();
    if (!result->isArithmeticType()) return std::nullopt;
    if (!is_alike(result, as_spelled(value)->getType())) type = spelled(context.ast, result, "");
  }
  return [&context, &lambda, value, type](const Texts& texts) {
    Substitution text(context.ast);
    for (std::size_t i = 0; i < texts.size(); ++i)
      replace_parameter(text, lambda.getBody(), lambda.getCallOperator()->getParamDecl(i), texts[i]);
    const std::string written = text.text(*range_of(context.ast, value->getSourceRange()));
    return type.empty() ? "(" + written + ")" : "static_cast<" + type + ">(" + written + ")";
  };
}

std::optional<std::string> called_lambda(const KernelContext& context, const clang::CallExpr& call) {
  const clang::LambdaExpr* lambda = lambda_called(call);
  if (!lambda || !copies_stay(context, *lambda) || !names_mean_the_same(context, *lambda)) return std::nullopt;
  Types types;
  Texts texts;
  for (unsigned i = 1; i < call.getNumArgs(); ++i) {
    const clang::Expr* argument = as_spelled(call.getArg(i));
    if (!is_quiet(argument) || !range_of(context.ast, argument->getSourceRange())) return std::nullopt;
    types.push_back(argument->getType());
    const std::string text = text_of(context.ast, argument);
    texts.push_back(llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::ArraySubscriptExpr>(argument)
                        ? text
                        : "(" + text + ")");
  }
  const auto value = of_lambda(context, *lambda, types);
  return value ? std::optional((*value)(texts)) : std::nullopt;
}

}  // namespace hone::frontend
