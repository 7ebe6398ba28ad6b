#include "tool/frontend/find/launch_sites.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <set>

#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

// What is asked or said of a kernel is said of the original, which stays.
bool only_asks(const FunctionDecl& called) {
  if (!called.getIdentifier()) return false;
  const StringRef name = called.getName();
  return name.starts_with("cudaOccupancy") || name.starts_with("cudaFuncSet") || name.starts_with("cudaFuncGet");
}

class LaunchReader final : public SyntaxVisitor {
 public:
  LaunchReader(const TranslationUnit& unit, const Attachment& kernel)
      : unit_(unit), kernel_(*kernel.function->getCanonicalDecl()), end_of_kernel_(kernel.end) {}

  Launches launches;

  bool shouldVisitTemplateInstantiations() const { return false; }
  bool shouldVisitImplicitCode() const { return false; }

  bool TraverseDecl(Decl* declaration) {
    if (!declaration) return true;
    const FunctionDecl* function = declaration->getAsFunction();
    const bool in_template = declaration->isTemplated();
    const bool on_device = function && (is_device(*function) || is_global(*function));
    templates_ += in_template;
    device_functions_ += on_device;
    const bool done = SyntaxVisitor::TraverseDecl(declaration);
    templates_ -= in_template;
    device_functions_ -= on_device;
    return done;
  }
  bool TraverseLambdaExpr(LambdaExpr* lambda) {
    const bool generic = lambda->isGenericLambda();
    templates_ += generic;
    const bool done = SyntaxVisitor::TraverseLambdaExpr(lambda);
    templates_ -= generic;
    return done;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr* launch) {
    const auto* name = llvm::dyn_cast<DeclRefExpr>(launch->getCallee()->IgnoreImpCasts());
    if (!name || !is_kernel(*name->getDecl())) return true;
    known_.insert(name);
    add(*launch, *name);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* called = call->getDirectCallee();
    if (!called || !only_asks(*called)) return true;
    for (const Expr* argument : call->arguments()) {
      const Expr* bare = argument->IgnoreParenCasts();
      if (const auto* address = llvm::dyn_cast<UnaryOperator>(bare); address && address->getOpcode() == UO_AddrOf)
        bare = address->getSubExpr()->IgnoreParenCasts();
      if (const auto* name = llvm::dyn_cast<DeclRefExpr>(bare)) known_.insert(name);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* name) {
    if (is_kernel(*name->getDecl()) && !known_.contains(name))
      refuse(name->getBeginLoc(), "uses it otherwise than by <<<…>>>");
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr* name) {
    if (std::ranges::any_of(name->decls(), [&](const NamedDecl* one) { return is_kernel(*one->getUnderlyingDecl()); }))
      refuse(name->getBeginLoc(), "names it in a template");
    return true;
  }

 private:
  bool is_kernel(const NamedDecl& declaration) const { return declaration.getCanonicalDecl() == &kernel_; }

  void refuse(SourceLocation location, const std::string& what) {
    if (!launches.why_not.empty()) return;
    const PresumedLoc place =
        unit_.sources().getPresumedLoc(unit_.sources().getExpansionLoc(location), /*UseLineDirectives=*/false);
    const std::string where = place.isInvalid()              ? "something"
                              : unit_.in_main_file(location) ? "line " + std::to_string(place.getLine())
                                                             : "an included file";
    launches.why_not = where + " " + what;
  }

  static bool leaves_arguments_out(const CUDAKernelCallExpr& launch) {
    return std::ranges::any_of(launch.arguments(),
                               [](const Expr* argument) { return llvm::isa<CXXDefaultArgExpr>(argument); });
  }

  bool stands_in(const CUDAKernelCallExpr& launch, const DeclRefExpr& name) const {
    const CallExpr* configuration = launch.getConfig();
    return std::ranges::all_of(std::array{name.getBeginLoc(), name.getEndLoc(), configuration->getBeginLoc(),
                                          configuration->getRParenLoc(), launch.getRParenLoc()},
                               [&](SourceLocation one) { return one.isFileID() && unit_.in_main_file(one); });
  }

  // As one token, in one piece.
  bool is_written(std::size_t at, std::string_view word) const {
    const std::size_t index = unit_.tokens().at_or_after(at);
    return unit_.tokens().is(index, word) && unit_.tokens()[index].end - at == word.size();
  }

  void add(const CUDAKernelCallExpr& launch, const DeclRefExpr& name) {
    const SourceLocation at = name.getBeginLoc();
    if (!unit_.in_main_file(at)) return refuse(at, "launches it");
    if (templates_ > 0) return refuse(at, "launches it in a template");
    if (device_functions_ > 0) return refuse(at, "launches it in device code");
    if (!launch.getConfig() || !stands_in(launch, name)) return refuse(at, "launches it in a macro");
    if (leaves_arguments_out(launch)) return refuse(at, "launches it with arguments left to their defaults");
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t last = tokens.at_or_after(unit_.offset(name.getEndLoc()));
    const LaunchSite site{unit_.offset(at), last < tokens.size() ? tokens[last].end : 0,
                          unit_.offset(launch.getConfig()->getBeginLoc()),
                          unit_.offset(launch.getConfig()->getRParenLoc())};
    if (site.name_begin < end_of_kernel_) return refuse(at, "launches it in front of its definition");
    if (!is_written(site.chevrons, "<<<") || !is_written(site.end_chevrons, ">>>"))
      return refuse(at, "launches it in a way that cannot be rewritten");
    launches.sites.push_back(site);
  }

  const TranslationUnit& unit_;
  const FunctionDecl& kernel_;
  const std::size_t end_of_kernel_;
  int templates_ = 0, device_functions_ = 0;  // around
  std::set<const DeclRefExpr*> known_;
};

// Other files may then launch it as well as this one.
bool is_declared_in_a_header(const FunctionDecl& kernel, const TranslationUnit& unit) {
  return std::ranges::any_of(kernel.redecls(),
                             [&](const FunctionDecl* one) { return !unit.in_main_file(one->getLocation()); });
}

}  // namespace

Launches find_launches(const TranslationUnit& unit, const Attachment& kernel) {
  LaunchReader reader(unit, kernel);
  for (Decl* declaration : unit.parsed().declarations())
    if (!unit.sources().isInSystemHeader(unit.sources().getExpansionLoc(declaration->getLocation())))
      reader.TraverseDecl(declaration);
  Launches& launches = reader.launches;
  if (launches.why_not.empty() && is_declared_in_a_header(*kernel.function, unit))
    launches.why_not = "a header declares it, so that other files may launch it";
  if (launches.why_not.empty() && launches.sites.empty()) launches.why_not = "no launch of it stands in this file";
  std::ranges::sort(launches.sites, {}, &LaunchSite::name_begin);
  return std::move(launches);
}

}  // namespace hone::frontend
