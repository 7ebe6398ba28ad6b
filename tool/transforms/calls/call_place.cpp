#include "tool/transforms/calls/call_place.h"

#include <algorithm>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

using Path = std::vector<const clang::Stmt*>;  // from the function's body to a call

bool is_body(const clang::Stmt* parent, const clang::Stmt* child) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(parent))
    return branch->getThen() == child || branch->getElse() == child;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent)) return loop->getBody() == child;
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(parent)) return loop->getBody() == child;
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(parent)) return loop->getBody() == child;
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(parent)) return loop->getBody() == child;
  return llvm::isa<clang::CompoundStmt, clang::SwitchCase, clang::AttributedStmt>(parent);
}

// Nothing that runs later can be told from what ran before.
bool is_told_anytime(const clang::Stmt* expression) {
  if (!expression) return true;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return llvm::isa<clang::EnumConstantDecl>(reference->getDecl()) || reference->getType().isConstQualified();
  if (!llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::ParenExpr,
                 clang::ImplicitCastExpr, clang::UnaryOperator, clang::BinaryOperator>(expression))
    return false;
  return is_quiet(expression) && std::ranges::all_of(expression->children(), is_told_anytime);
}

// Whether what `parent` evaluates before `child`, always or in C++17, may as well come later. `pure`: of the call.
bool comes_first(const clang::Stmt* parent, const clang::Stmt* child, bool pure) {
  const auto may_wait = [&](const clang::Expr* first) {
    return first == child || (pure ? is_quiet(first) : is_told_anytime(first));
  };
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
    if (binary->isLogicalOp()) return binary->getLHS() == child;
    return !(binary->isCommaOp() || binary->isShiftOp()) || may_wait(binary->getLHS());
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) return may_wait(element->getLHS());
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(parent))
    return llvm::isa<clang::ConditionalOperator>(choice) && choice->getCond() == child;
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(parent))
    return std::ranges::all_of(list->inits(), may_wait);
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
    const auto kind = call->getOperator();
    return kind != clang::OO_LessLess && kind != clang::OO_GreaterGreater && kind != clang::OO_AmpAmp &&
           kind != clang::OO_PipePipe && kind != clang::OO_Comma;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(parent))
    return call->getCallee() == child || is_quiet(call->getCallee());
  return llvm::isa<clang::Expr>(parent) && !llvm::isa<clang::StmtExpr, clang::UnaryExprOrTypeTraitExpr>(parent);
}

// Nothing beside `child` changes anything, but the assignment that takes the whole value.
bool is_quiet_beside(const clang::Stmt* parent, const clang::Stmt* child) {
  return std::ranges::all_of(parent->children(),
                             [&](const clang::Stmt* other) { return other == child || is_quiet(other); });
}

// What a statement evaluates once and first: the whole one, or its head.
bool is_head(const clang::Stmt* statement, const clang::Stmt* part) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return branch->getCond() == part && !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr();
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement))
    return choice->getCond() == part && !choice->getInit() && !choice->getConditionVariable();
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return loop->getInit() == part;
  return llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(statement);
}

bool is_through(const clang::Stmt* node) {
  return llvm::isa<clang::ExprWithCleanups, clang::ParenExpr, clang::MaterializeTemporaryExpr>(node);
}

class PlaceFinder {
 public:
  explicit PlaceFinder(const KernelContext& context) : context_(context) {}

  std::vector<CallPlace> find() {
    walk(context_.kernel->getBody());
    return std::move(places_);
  }

 private:
  void walk(const clang::Stmt* node) {
    if (!node || llvm::isa<clang::LambdaExpr, clang::ConstantExpr, clang::UnaryExprOrTypeTraitExpr,
                           clang::CXXNoexceptExpr, clang::CXXDefaultArgExpr, clang::OMPExecutableDirective>(node))
      return;
    path_.push_back(node);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node);
        call && range_of(context_.ast, call->getSourceRange()))
      places_.push_back(place_of(call));
    for (const clang::Stmt* child : node->children()) walk(child);
    path_.pop_back();
  }

  CallPlace place_of(const clang::CallExpr* call) const {
    CallPlace place;
    place.call = call;
    std::size_t at = path_.size() - 1;  // of the statement
    while (at > 0 && !is_body(path_[at - 1], path_[at])) --at;
    if (at == 0) return place;
    place.statement = path_[at];
    place.declares = llvm::isa<clang::DeclStmt>(place.statement);
    place.before = place.quiet = range_of(context_.ast, place.statement).has_value();
    if (at + 1 < path_.size()) place.before = is_head(place.statement, path_[at + 1]) && is_first_declared(at);
    const bool pure = call->getDirectCallee() && is_pure(call->getDirectCallee());
    bool through = true;
    for (std::size_t i = at; i + 1 < path_.size(); ++i) {
      // A condition's statement has a body, which comes later.
      const bool head = !llvm::isa<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(path_[i]);
      if (!head && llvm::isa<clang::Expr>(path_[i])) place.before &= comes_first(path_[i], path_[i + 1], pure);
      if (!head) place.quiet &= is_quiet_beside(path_[i], path_[i + 1]);
      through &= is_through(path_[i]) || i == at;
    }
    place.alone =
        llvm::isa<clang::Expr>(place.statement) && (at + 1 == path_.size() || (through && is_through(place.statement)));
    place.returned = through && is_end(place, at);
    return place;
  }

  // Of `T a = f(), b = g();` the first.
  bool is_first_declared(std::size_t at) const {
    for (std::size_t i = at; i < path_.size() && i < at + 2; ++i)
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(path_[i])) {
        const auto* first = llvm::dyn_cast<clang::VarDecl>(*declared->decl_begin());
        return first && !first->isStaticLocal() && i + 1 < path_.size() && first->getInit() == path_[i + 1];
      }
    return true;
  }

  bool is_end(const CallPlace& place, std::size_t at) const {
    const clang::QualType value = place.call->getType(), wanted = context_.kernel->getReturnType();
    if (value.getCanonicalType() != wanted.getCanonicalType()) return false;
    if (llvm::isa<clang::ReturnStmt>(place.statement)) return !place.call->isGLValue();
    if (!wanted->isVoidType() || !place.alone || at != 1) return false;
    return statements_of(context_.kernel->getBody()).back() == place.statement;
  }

  const KernelContext& context_;
  Path path_;
  std::vector<CallPlace> places_;
};

}  // namespace

std::vector<CallPlace> calls_in(const KernelContext& context) {
  return PlaceFinder(context).find();
}

}  // namespace hone::frontend
