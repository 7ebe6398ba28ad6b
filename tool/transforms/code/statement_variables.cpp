#include "tool/transforms/code/statement_variables.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace hone::frontend {
namespace {

// The variable at the root of an lvalue: v, v.x, v[i] of an array; null when it goes through a pointer.
const clang::ValueDecl* root_variable(const clang::Expr* lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(lvalue);
      cast && cast->getCastKind() != clang::CK_LValueToRValue)
    return root_variable(cast->getSubExpr());
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) return reference->getDecl();
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue))
    return member->isArrow() ? nullptr : root_variable(member->getBase());
  if (auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
    const clang::Expr* base = subscript->getBase()->IgnoreParens();
    auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay) return root_variable(decay->getSubExpr());
  }
  return nullptr;
}

bool may_be_changed(clang::QualType type) {
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

void each_handed_over(const clang::CallExpr& call, llvm::function_ref<void(const clang::ValueDecl*)> visit) {
  auto* function = call.getDirectCallee();
  for (unsigned i = 0; function && i < std::min(call.getNumArgs(), function->getNumParams()); ++i)
    if (may_be_changed(function->getParamDecl(i)->getType())) visit(root_variable(call.getArg(i)));
}

void each_bound(const clang::DeclStmt& declared, llvm::function_ref<void(const clang::ValueDecl*)> visit) {
  for (const clang::Decl* inner : declared.decls()) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
    if (variable && variable->getInit() && may_be_changed(variable->getType()))
      visit(root_variable(variable->getInit()));
  }
}

// What the statement itself writes, its parts aside; null among them.
void each_written(const clang::Stmt* statement, llvm::function_ref<void(const clang::ValueDecl*)> visit) {
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
    visit(root_variable(unary->getSubExpr()));
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement); binary && binary->isAssignmentOp())
    visit(root_variable(binary->getLHS()));
  if (auto* assigned = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement); assigned && assigned->isAssignmentOp())
    visit(root_variable(assigned->getArg(0)));
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) each_handed_over(*call, visit);
  if (auto* assembly = llvm::dyn_cast<clang::GCCAsmStmt>(statement))
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i) visit(root_variable(assembly->getOutputExpr(i)));
  if (auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) each_bound(*declared, visit);
}

void add_written(std::set<const clang::ValueDecl*>& written, const clang::Stmt* statement) {
  if (!statement) return;
  each_written(statement, [&](const clang::ValueDecl* one) { written.insert(one); });
  for (const clang::Stmt* child : statement->children()) add_written(written, child);
}

// A walk over a function's body, each statement with a number: those inside of a statement have the numbers from its
// own up to its end.
class FunctionUses {
 public:
  struct Span {
    unsigned begin = 0, end = 0;
  };

  explicit FunctionUses(const clang::Stmt* body) { walk(body); }

  // nullptr: it stands somewhere else.
  const Span* span_of(const clang::Stmt* statement) const {
    const auto found = spans_.find(statement);
    return found == spans_.end() ? nullptr : &found->second;
  }
  bool declares(Span span, const clang::ValueDecl* declaration) const { return any(declared_, span, declaration); }
  bool writes(Span span, const clang::ValueDecl* declaration) const { return any(written_, span, declaration); }

 private:
  using Places = llvm::DenseMap<const clang::ValueDecl*, llvm::SmallVector<unsigned, 4>>;  // numbers, rising

  static bool any(const Places& places, Span span, const clang::ValueDecl* declaration) {
    const auto found = places.find(declaration);
    if (found == places.end()) return false;
    const auto next = std::ranges::lower_bound(found->second, span.begin);
    return next != found->second.end() && *next < span.end;
  }

  void walk(const clang::Stmt* statement) {
    if (!statement) return;
    const unsigned number = next_++;
    each_written(statement, [&](const clang::ValueDecl* written) {
      if (written) written_[written].push_back(number);
    });
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl* one : declared->decls())
        if (const auto* value = llvm::dyn_cast<clang::ValueDecl>(one)) declared_[value].push_back(number);
    for (const clang::Stmt* child : statement->children()) walk(child);
    spans_.try_emplace(statement, Span{number, next_});
  }

  unsigned next_ = 0;
  llvm::DenseMap<const clang::Stmt*, Span> spans_;
  Places declared_, written_;
};

// The functions of each AST that somebody asked about.
class Known {
 public:
  // Never destroyed: an AST that is static itself may end after what a function made static.
  static Known& known() {
    static Known& known = *new Known;
    return known;
  }

  const FunctionUses& of(const clang::FunctionDecl& function) {
    std::unique_ptr<const FunctionUses>& uses = of(function.getASTContext())[&function];
    if (!uses) uses = std::make_unique<const FunctionUses>(function.getBody());
    return *uses;
  }

 private:
  using Functions = llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<const FunctionUses>>;

  // One thread's, as its AST is.
  Functions& of(const clang::ASTContext& ast) {
    const std::lock_guard lock(mutex_);
    const auto [functions, is_new] = asts_.try_emplace(&ast);
    if (is_new) ast.AddDeallocation([](void* gone) { known().forget(gone); }, const_cast<clang::ASTContext*>(&ast));
    return functions->second;
  }

  void forget(const void* ast) {
    const std::lock_guard lock(mutex_);
    asts_.erase(ast);
  }

  std::mutex mutex_;
  std::unordered_map<const void*, Functions> asts_;
};

// The outermost one around a variable; null where it has none, or no body of its own.
const clang::FunctionDecl* function_around(const clang::ValueDecl* declaration) {
  const clang::FunctionDecl* outermost = nullptr;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context; context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context)) outermost = function;
  return outermost && outermost->doesThisDeclarationHaveABody() ? outermost : nullptr;
}

// Asks the function around `declaration`; nullopt: `statement` stands in none that is known to be around it.
std::optional<bool> asked(const clang::Stmt* statement, const clang::ValueDecl* declaration,
                          bool (FunctionUses::*question)(FunctionUses::Span, const clang::ValueDecl*) const) {
  const clang::FunctionDecl* function = declaration ? function_around(declaration) : nullptr;
  if (!function) return std::nullopt;
  const FunctionUses& uses = Known::known().of(*function);
  const FunctionUses::Span* span = uses.span_of(statement);
  return span ? std::optional((uses.*question)(*span, declaration)) : std::nullopt;
}

bool writes_somewhere(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  if (!statement) return false;
  bool writes = false;
  each_written(statement, [&](const clang::ValueDecl* written) { writes |= written == declaration; });
  return writes || std::any_of(statement->child_begin(), statement->child_end(),
                               [&](const clang::Stmt* child) { return writes_somewhere(child, declaration); });
}

bool declares_somewhere(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  if (!statement) return false;
  if (auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
      declared && std::find(declared->decl_begin(), declared->decl_end(), declaration) != declared->decl_end())
    return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return declares_somewhere(child, declaration); });
}

}  // namespace

bool writes_variable(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  if (!statement) return false;
  const auto answer = asked(statement, declaration, &FunctionUses::writes);
  return answer ? *answer : writes_somewhere(statement, declaration);
}

std::set<const clang::ValueDecl*> written_in(const clang::Stmt* statement) {
  std::set<const clang::ValueDecl*> written;
  add_written(written, statement);
  return written;
}

bool declares(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  if (!statement) return false;
  const auto answer = asked(statement, declaration, &FunctionUses::declares);
  return answer ? *answer : declares_somewhere(statement, declaration);
}

bool mentions(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
  if (!statement) return false;
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement); reference && reference->getDecl() == declaration)
    return true;
  for (const clang::Stmt* child : statement->children())
    if (mentions(child, declaration)) return true;
  return false;
}

}  // namespace hone::frontend
