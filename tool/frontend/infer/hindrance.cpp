#include "tool/frontend/infer/hindrance.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::array<std::string_view, 15> kResizing = {
    "push_back", "emplace_back", "pop_back", "push_front", "pop_front",     "insert", "emplace", "erase",
    "clear",     "resize",       "assign",   "append",     "shrink_to_fit", "swap",   "reserve"};
constexpr std::array<std::string_view, 12> kDifferent = {
    "rand", "random", "drand48",       "lrand48",     "mrand48", "arc4random", "arc4random_buf", "arc4random_uniform",
    "time", "clock",  "clock_gettime", "gettimeofday"};
constexpr std::array<std::string_view, 5> kAllocating = {"malloc", "calloc", "realloc", "aligned_alloc", "strdup"};

bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != names.end();
}

std::string plain_name(const NamedDecl* declaration) {
  return declaration && declaration->getDeclName().isIdentifier() ? declaration->getNameAsString() : "";
}

// What an lvalue or a pointer is a part of, through references and pointers that are made of it; null: of a value.
const Expr* root_of(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<MemberExpr>(expression)) {
      expression = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<ArraySubscriptExpr>(expression)) {
      expression = element->getBase();
    } else if (const auto* unary = llvm::dyn_cast<UnaryOperator>(expression)) {
      expression = unary->getSubExpr();
    } else if (const auto* call = llvm::dyn_cast<CXXOperatorCallExpr>(expression); call && call->getNumArgs() > 0) {
      expression = call->getArg(0);
    } else {
      const auto* use = llvm::dyn_cast<DeclRefExpr>(expression);
      const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
      const bool named_anew = variable && variable->isLocalVarDecl() && variable->getInit() &&
                              (variable->getType()->isReferenceType() || variable->getType()->isPointerType());
      if (!named_anew) return expression;
      expression = variable->getInit();
    }
  }
}

class HindranceReader final : public SyntaxVisitor {
 public:
  explicit HindranceReader(const FunctionDecl& function) : function_(function) {}

  std::string run() {
    for (const ParmVarDecl* parameter : function_.parameters())
      if (parameter->getType()->isReferenceType() || parameter->getType()->isPointerType()) given_.insert(parameter);
    pending_.push_back(&function_);
    while (!pending_.empty() && found_.empty()) {
      const FunctionDecl* next = pending_.back();
      pending_.pop_back();
      TraverseStmt(next->getBody());
    }
    return std::move(found_);
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
    const std::string name = plain_name(call->getMethodDecl());
    if (is_one_of(name, kResizing)) resizes(*call, call->getImplicitObjectArgument());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
    if (call->isAssignmentOp() && call->getNumArgs() == 2) resizes(*call, call->getArg(0));
    if (const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
        method && plain_name(method->getParent()) == "random_device")
      differs(*call, "random_device");
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    const FunctionDecl* called = call->getDirectCallee();
    if (!called) return true;
    const std::string name = plain_name(called);
    const bool of_system = is_systems(*called);
    const auto* clock = llvm::dyn_cast<CXXMethodDecl>(called);
    if (of_system && (is_one_of(name, kDifferent) ? !clock : clock && name == "now")) differs(*call, name);
    if (!of_system) follow(*called, *call);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* assign) override {
    if (assign->getOpcode() != BO_Assign || !assign->getLHS()->getType()->isPointerType()) return true;
    const Expr *target = assign->getLHS()->IgnoreParenCasts(), *value = assign->getRHS()->IgnoreParenCasts();
    const auto* call = llvm::dyn_cast<CallExpr>(value);
    const bool allocates =
        llvm::isa<CXXNewExpr>(value) || (call && is_one_of(plain_name(call->getDirectCallee()), kAllocating));
    if (allocates && !llvm::isa<DeclRefExpr>(target) && is_given(target))
      note(*assign, "allocates", text_of(*target), "the judge's arrays stay where they are; allocate it in the caller");
    return true;
  }

 private:
  static bool is_std_container(QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    const auto* record = type->getAsCXXRecordDecl();
    return record && record->isInStdNamespace() && container_type(type.getUnqualifiedType());
  }

  bool is_systems(const FunctionDecl& function) const {
    const SourceManager& sources = function_.getASTContext().getSourceManager();
    return sources.isInSystemHeader(sources.getExpansionLoc(function.getLocation()));
  }

  bool is_given(const Expr* expression) const {
    const Expr* root = root_of(expression);
    if (llvm::isa<CXXThisExpr>(root)) return true;
    const auto* use = llvm::dyn_cast<DeclRefExpr>(root);
    const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    return variable && (given_.contains(variable) || (variable->hasGlobalStorage() && !variable->isStaticLocal()));
  }

  std::string text_of(const Expr& expression) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    expression.printPretty(stream, nullptr, PrintingPolicy(function_.getASTContext().getLangOpts()));
    return text;
  }

  void resizes(const CallExpr& call, const Expr* container) {
    if (!container || !is_std_container(container->getType()) || !is_given(container)) return;
    if (const auto kind = container_type(container->getType().getNonReferenceType().getUnqualifiedType());
        kind && kind->kind == ContainerType::Kind::array)
      return;
    note(call, "changes the size of", text_of(*container->IgnoreParenImpCasts()),
         "the judge's containers keep theirs; size it in the caller");
  }

  void differs(const CallExpr& call, const std::string& name) {
    note(call, "calls", name,
         "what that gives differs from call to call, so that results cannot be compared; hand it in");
  }

  void note(const Stmt& at, const std::string& does, const std::string& what, const std::string& so) {
    if (found_.empty())
      found_ = "it " + does + " '" + what + "' at " + line_in(function_, at) + ": " + so +
               (is_in_cuda(function_) ? "" : ", or describe its calls by workload()");
  }

  // Its parameters are as given as what is handed over.
  void follow(const FunctionDecl& called, const CallExpr& call) {
    const FunctionDecl* definition = nullptr;
    if (!called.hasBody(definition)) return;
    const bool own = llvm::isa<CXXOperatorCallExpr>(call) && llvm::isa<CXXMethodDecl>(called);
    for (unsigned i = own; i < call.getNumArgs() && i - own < definition->getNumParams(); ++i)
      if (is_given(call.getArg(i))) given_.insert(definition->getParamDecl(i - own));
    if (seen_.insert(definition).second) pending_.push_back(definition);
  }

  const FunctionDecl& function_;
  std::string found_;
  std::set<const VarDecl*> given_;
  std::set<const FunctionDecl*> seen_;
  std::vector<const FunctionDecl*> pending_;
};

}  // namespace

std::string line_in(const FunctionDecl& function, const Stmt& at) {
  const SourceManager& sources = function.getASTContext().getSourceManager();
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(at.getBeginLoc())),
                    own = sources.getPresumedLoc(sources.getExpansionLoc(function.getLocation()));
  if (place.isInvalid()) return "an unknown line";
  const std::string line = "line " + std::to_string(place.getLine());
  if (own.isInvalid() || std::string_view(own.getFilename()) == place.getFilename()) return line;
  const std::string_view file = place.getFilename();
  return line + " of " + std::string(file.substr(file.rfind('/') + 1));
}

std::string hindrance_of(const FunctionDecl& function) {
  return HindranceReader(function).run();
}

}  // namespace hone::frontend
