#include "tool/frontend/gate/launch_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

struct RefusedCall {
  std::string_view name;
  std::string_view why;
};

constexpr const char* kWaits = "a launch does not wait for the device; leave it out";
constexpr const char* kOnDefault =
    "it works on the default stream; use the one with Async and the stream that is given";
constexpr std::array kRefusedCalls = {RefusedCall{"cudaGetLastError", "CUDA's last error is the program's to ask for"},
                                      RefusedCall{"cudaStreamSynchronize", kWaits},
                                      RefusedCall{"cudaDeviceSynchronize", kWaits},
                                      RefusedCall{"cudaMemcpy", kOnDefault},
                                      RefusedCall{"cudaMemcpy2D", kOnDefault},
                                      RefusedCall{"cudaMemset", kOnDefault},
                                      RefusedCall{"cudaMemset2D", kOnDefault}};

class LaunchPolicy final : public SyntaxVisitor {
 public:
  LaunchPolicy(const Parsed& parsed, const KernelSpec& spec, const FunctionDecl& kernel)
      : context_(parsed.context()), sources_(parsed.sources()), own_(spec.own_launch), kernel_(kernel) {}

  std::optional<Objection> objection;

  bool shouldVisitImplicitCode() const { return false; }
  bool shouldVisitTemplateInstantiations() const { return true; }

  // The candidate's own code for the host, and the way to it.
  bool TraverseDecl(Decl* declaration) {
    if (!declaration) return true;
    const bool way = llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration);
    if (!way && !in_candidate(declaration->getLocation())) return true;
    if (const FunctionDecl* function = declaration->getAsFunction(); function && runs_on_device_alone(*function))
      return true;
    return SyntaxVisitor::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(FunctionDecl* function) {
    if (!function->getIdentifier() || function->getName() != own_.name) return true;
    if (!is_as_wanted(*function)) refuse(function->getLocation(), "it must be defined as '" + own_.signature + "'");
    defined_ = defined_ || function->doesThisDeclarationHaveABody();
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* called = call->getDirectCallee();
    if (!called) return true;
    check_name(*call, *called);
    const bool launch = called->getIdentifier() && called->getName() == "__cudaPushCallConfiguration";
    for (unsigned i = 0; i < called->getNumParams() && i < call->getNumArgs(); ++i)
      if ((is_stream(called->getParamDecl(i)->getType()) || (launch && i == 3)) && !is_given(*call->getArg(i)))
        refuse(call->getBeginLoc(),
               launch ? "a launch is on another stream than the one that is given; write <<<grid, "
                        "block, shared, stream>>>"
                      : "'" + called->getNameAsString() + "' works on another stream than the one that is given");
    return true;
  }
  // config.stream = stream, for launches with attributes.
  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (!operation->isAssignmentOp() || !is_stream(operation->getLHS()->getType())) return true;
    if (!llvm::isa<MemberExpr>(operation->getLHS()->IgnoreParens()) || !is_given(*operation->getRHS()))
      refuse(operation->getOperatorLoc(), "another stream than the one that is given");
    configured_ = true;
    return true;
  }
  bool VisitInitListExpr(InitListExpr* list) {
    if (list->getSemanticForm()) list = list->getSemanticForm();
    const RecordDecl* record = list->getType()->getAsRecordDecl();
    if (!record) return true;
    unsigned at = 0;
    for (const FieldDecl* field : record->fields()) {
      if (at >= list->getNumInits()) break;
      const Expr* value = list->getInit(at++);
      if (is_stream(field->getType()) && !llvm::isa<ImplicitValueInitExpr>(value)) configured_ |= is_given(*value);
    }
    return true;
  }

  void finish() {
    if (!defined_ && !objection)
      objection = Objection{DiagnosticCode::candidate_device, 1, "it must define '" + own_.signature + "'"};
    if (configurable_.isValid() && !configured_)
      refuse(configurable_,
             "the launch is on the default stream; set the configuration's stream to the one that is given");
  }

 private:
  bool in_candidate(SourceLocation location) const { return frontend::in_candidate(sources_, location); }

  void refuse(SourceLocation location, const std::string& why) {
    if (!objection)
      objection = Objection{DiagnosticCode::candidate_device, candidate_line(sources_, location),
                            "in place of a launch: " + why};
  }

  bool is_as_wanted(const FunctionDecl& function) const {
    const unsigned count = kernel_.getNumParams();
    if (function.isTemplated() || function.isTemplateInstantiation() || is_device(function) || is_global(function) ||
        !function.getReturnType()->isVoidType() || function.isExternallyVisible() || function.isVariadic() ||
        function.getNumParams() != count + 1 || !is_stream(function.getParamDecl(count)->getType()) ||
        function.getDeclContext()->getRedeclContext() != kernel_.getDeclContext()->getRedeclContext())
      return false;
    for (unsigned i = 0; i < count; ++i)
      if (!context_.hasSameUnqualifiedType(function.getParamDecl(i)->getType(), kernel_.getParamDecl(i)->getType()))
        return false;
    return true;
  }

  void check_name(const CallExpr& call, const FunctionDecl& called) {
    if (!called.getIdentifier()) return;
    const StringRef name = called.getName();
    const auto* found = std::ranges::find(kRefusedCalls, std::string_view(name), &RefusedCall::name);
    if (found != kRefusedCalls.end())
      refuse(call.getBeginLoc(), "'" + name.str() + "' is not allowed: " + std::string(found->why));
    if (drives_device(called) && called.getQualifiedNameAsString().starts_with("thrust::"))
      refuse(call.getBeginLoc(), "Thrust's algorithms wait for the device, which a launch does not");
    if (name.starts_with("cudaLaunchKernelEx") && configurable_.isInvalid()) configurable_ = call.getBeginLoc();
  }

  // A parameter, that of the function or of a helper to which it is handed on.
  static bool is_given(const Expr& expression) {
    const auto* name = llvm::dyn_cast<DeclRefExpr>(expression.IgnoreParenImpCasts());
    const auto* parameter = name ? llvm::dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
    return parameter && (parameter->getType()->isDependentType() || is_stream(parameter->getType()));
  }

  ASTContext& context_;
  const SourceManager& sources_;
  const OwnLaunch& own_;
  const FunctionDecl& kernel_;
  bool defined_ = false, configured_ = false;
  SourceLocation configurable_;  // of the first launch by a configuration
};

}  // namespace

std::optional<Objection> object_to_copy(const SplitSource& candidate, const KernelSpec& spec,
                                        const LangOptions& language) {
  if (!spec.own_launch.why_not.empty())
    return Objection{
        DiagnosticCode::candidate_device, candidate.definition_line,
        "'" + spec.own_launch.name + "' is not allowed, the kernel keeps its launch: " + spec.own_launch.why_not};
  const SourceTokens own(candidate.definition, language), original(spec.unit.definition, language);
  for (std::size_t i = 0; i < original.size(); ++i)
    if (i >= own.size() || own.spelling(i) != original.spelling(i) || own[i].directive != original[i].directive)
      return Objection{
          DiagnosticCode::candidate_device,
          candidate.definition_line - 1 + line_at(candidate.definition, i < own.size() ? own[i].begin : 0),
          "a candidate with '" + spec.own_launch.name +
              "' begins with the original kernel, unchanged; behind it stand kernels of its own under other "
              "names, then the function that launches them"};
  return std::nullopt;
}

std::optional<Objection> object_to_launches(const Parsed& parsed, const KernelSpec& spec, const FunctionDecl& kernel) {
  LaunchPolicy policy(parsed, spec, kernel);
  for (Decl* declaration : parsed.declarations()) policy.TraverseDecl(declaration);
  policy.finish();
  return std::move(policy.objection);
}

}  // namespace hone::frontend
