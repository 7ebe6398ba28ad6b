#include "tool/transforms/calls/callee.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/calls/taken_text.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

constexpr std::size_t longest_body = 6000;  // characters

bool is_foreign_to_other_places(const clang::Stmt* node) {
  if (llvm::isa<clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt, clang::AddrLabelExpr, clang::AsmStmt,
                clang::CXXTryStmt, clang::LambdaExpr, clang::StmtExpr, clang::VAArgExpr, clang::PredefinedExpr,
                clang::SourceLocExpr, clang::CoroutineBodyStmt, clang::OMPExecutableDirective,
                clang::CUDAKernelCallExpr, clang::CXXDefaultArgExpr>(node))
    return true;
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(node);
  return branch && (branch->isConstexpr() || branch->isConsteval());
}

bool is_about_its_frame(const clang::FunctionDecl& function) {
  const std::string name = function.getNameAsString();
  return name.find("alloca") != std::string::npos || name.find("setjmp") != std::string::npos ||
         name.find("va_start") != std::string::npos || name.find("_address") != std::string::npos ||
         name.find("__builtin_apply") != std::string::npos;
}

// A local that outlives the call, or what is no variable.
bool is_strange(const clang::Decl* declared) {
  if (const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(declared)) return type->isInvalidDecl();
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
  if (!variable || llvm::isa<clang::DecompositionDecl>(variable) || variable->isLocalExternDecl()) return true;
  if (variable->getTLSKind() != clang::VarDecl::TLS_None || variable->hasAttr<clang::CUDASharedAttr>()) return true;
  return variable->isStaticLocal() && !variable->isConstexpr() &&
         !variable->getASTContext().getBaseElementType(variable->getType()).isConstQualified();
}

bool stays_the_same_elsewhere(const clang::Stmt* node, bool may_throw) {
  if (!node) return true;
  if (is_foreign_to_other_places(node) || (!may_throw && llvm::isa<clang::CXXThrowExpr>(node))) return false;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(node))
    if (std::ranges::any_of(declared->decls(), is_strange)) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node))
    if (const auto* function = call->getDirectCallee(); function && is_about_its_frame(*function)) return false;
  return std::ranges::all_of(node->children(),
                             [&](const clang::Stmt* child) { return stays_the_same_elsewhere(child, may_throw); });
}

using FunctionSet = std::set<const clang::FunctionDecl*>;

// Whether a call of `from` may lead to one of `wanted`.
bool leads_to(const clang::FunctionDecl* from, const FunctionSet& wanted, FunctionSet& seen) {
  constexpr std::size_t most = 200;
  const clang::FunctionDecl* definition = nullptr;
  if (!from->hasBody(definition)) return false;
  if (seen.size() > most) return true;
  for (const auto* call : all_of<clang::CallExpr>(definition->getBody())) {
    const clang::FunctionDecl* next = call->getDirectCallee();
    if (!next) continue;
    next = next->getCanonicalDecl();
    if (wanted.contains(next)) return true;
    if (!next->isInStdNamespace() && seen.insert(next).second && leads_to(next, wanted, seen)) return true;
  }
  return false;
}

bool is_recursive(const KernelContext& context, const clang::FunctionDecl* function) {
  FunctionSet seen;
  return leads_to(function, {function->getCanonicalDecl(), context.kernel->getCanonicalDecl()}, seen);
}

bool has_attributes_of_its_own(const clang::FunctionDecl& function, llvm::StringRef head) {
  return function.hasAttr<clang::TargetAttr>() || function.hasAttr<clang::TargetClonesAttr>() ||
         function.hasAttr<clang::OptimizeNoneAttr>() || function.hasAttr<clang::NakedAttr>() ||
         function.hasAttr<clang::WeakAttr>() || function.hasAttr<clang::AliasAttr>() ||
         function.hasAttr<clang::IFuncAttr>() || function.hasAttr<clang::CUDAGlobalAttr>() ||
         head.contains("optimize");  // gcc's, which Clang does not keep
}

// Element access by a class of the project: grid(i, j), row[k].
bool is_element_access(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const auto kind = function.getOverloadedOperator();
  return method && !method->getParent()->isLambda() && (kind == clang::OO_Call || kind == clang::OO_Subscript);
}

bool is_plain_function(const clang::FunctionDecl& function) {
  if (function.isVariadic() || function.isMain() || function.isConsteval()) return false;
  if (function.isOverloadedOperator() && !is_element_access(function)) return false;
  if (!function.hasPrototype() || function.isDefaulted() || function.isDependentContext()) return false;
  if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(&function)) return false;
  return std::ranges::all_of(function.parameters(), [](const clang::ParmVarDecl* parameter) {
    return !parameter->isParameterPack() && !parameter->getType().isVolatileQualified() &&
           !parameter->getType()->isRValueReferenceType();
  });
}

bool is_called_directly(const clang::CallExpr* call, const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->isVirtual()) return true;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  return method->hasAttr<clang::FinalAttr>() || method->getParent()->isEffectivelyFinal() ||
         (member && member->hasQualifier());
}

// Its first word may be a macro: __device__, FORCE_INLINE.
clang::SourceLocation begin_of(const KernelContext& context, const Callee& callee) {
  return context.sources().getExpansionLoc(callee.function->getBeginLoc());
}

// Where the body stands; false: a macro wrote it.
bool find_text(const KernelContext& context, Callee& callee) {
  const auto& sources = context.sources();
  const clang::SourceLocation open = callee.body->getLBracLoc(), close = callee.body->getRBracLoc();
  if (!open.isFileID() || !close.isFileID()) return false;
  callee.file = sources.getFileID(open);
  if (sources.getFileID(close) != callee.file || sources.getFileID(begin_of(context, callee)) != callee.file)
    return false;
  callee.inside = {sources.getFileOffset(open) + 1, sources.getFileOffset(close)};
  return callee.inside.begin <= callee.inside.end && callee.inside.end - callee.inside.begin <= longest_body;
}

llvm::StringRef head_of(const KernelContext& context, const Callee& callee) {
  return context.sources()
      .getBufferData(callee.file)
      .slice(context.sources().getFileOffset(callee.function->getBeginLoc()), callee.inside.begin);
}

}  // namespace

llvm::ArrayRef<const clang::Expr*> arguments_of(const clang::CallExpr* call) {
  const llvm::ArrayRef<const clang::Expr*> all(call->getArgs(), call->getNumArgs());
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  const bool object = llvm::isa<clang::CXXOperatorCallExpr>(call) && method && !method->isStatic();
  return object ? all.drop_front() : all;
}

std::optional<Callee> callee_of(const KernelContext& context, const clang::CallExpr* call) {
  if (llvm::isa<clang::CUDAKernelCallExpr>(call)) return std::nullopt;
  const clang::FunctionDecl* called = call->getDirectCallee();
  Callee callee;
  if (!called || called->getBuiltinID() != 0 || !called->hasBody(callee.function)) return std::nullopt;
  const clang::FunctionDecl& function = *callee.function;
  callee.body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
  if (!callee.body || context.sources().isInSystemHeader(function.getLocation())) return std::nullopt;
  if (!is_plain_function(function) || !is_called_directly(call, function) || !find_text(context, callee))
    return std::nullopt;
  if (has_attributes_of_its_own(function, head_of(context, callee))) return std::nullopt;
  const auto* type = function.getType()->castAs<clang::FunctionProtoType>();
  if (!stays_the_same_elsewhere(callee.body, !type->isNothrow())) return std::nullopt;
  if (is_recursive(context, &function)) return std::nullopt;
  auto left_out = left_out_of(context, callee);
  if (!left_out) return std::nullopt;
  callee.left_out = std::move(*left_out);
  const auto statements = statements_of(callee.body);
  const auto* end = statements.size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(statements.front()) : nullptr;
  if (end && end->getRetValue() && is_quiet(end->getRetValue())) callee.value = end->getRetValue();
  return callee;
}

}  // namespace hone::frontend
