#include "tool/transforms/code/accesses.h"

#include <algorithm>

namespace hone::frontend {
namespace {

const clang::Expr* bare(const clang::Expr* expression) {
  return expression->IgnoreParenCasts();
}

// Of a local: nothing changes it after its initializer.
bool is_steady(const clang::VarDecl* local) {
  auto* function = llvm::dyn_cast<clang::FunctionDecl>(local->getDeclContext());
  return function && function->getBody() && !writes_variable(function->getBody(), local);
}

// The initializer of a local that never changes after it: what the local stands for.
const clang::Expr* meaning_of(const clang::ValueDecl* declaration) {
  auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (!variable || !variable->isLocalVarDecl() || !variable->hasInit() || !variable->getType()->isIntegerType())
    return nullptr;
  if (variable->getType().isConstQualified()) return variable->getInit();
  return is_steady(variable) ? variable->getInit() : nullptr;
}

std::optional<IndexPolynomial> read(const clang::ASTContext& ast, const clang::Expr* expression, unsigned depth) {
  if (!expression || depth > 20 || expression->isValueDependent()) return std::nullopt;
  expression = bare(expression);
  if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult value;
  if (expression->EvaluateAsInt(value, ast)) return IndexPolynomial::constant(value.Val.getInt().getExtValue());
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const clang::Expr* meaning = meaning_of(reference->getDecl()))
      if (auto seen = read(ast, meaning, depth + 1)) return seen;
    return IndexPolynomial::variable(reference->getDecl());
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    auto inner = read(ast, unary->getSubExpr(), depth + 1);
    if (!inner) return std::nullopt;
    if (unary->getOpcode() == clang::UO_Minus) return IndexPolynomial::constant(0) - *inner;
    if (unary->getOpcode() == clang::UO_Plus) return inner;
    return std::nullopt;
  }
  auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (!binary) return std::nullopt;
  auto left = read(ast, binary->getLHS(), depth + 1), right = read(ast, binary->getRHS(), depth + 1);
  if (!left || !right) return std::nullopt;
  switch (binary->getOpcode()) {
    case clang::BO_Add:
      return *left + *right;
    case clang::BO_Sub:
      return *left - *right;
    case clang::BO_Mul:
      return *left * *right;
    case clang::BO_Shl:
      if (auto by = right->as_constant(); by && *by >= 0 && *by < 31)
        return *left * IndexPolynomial::constant(1LL << *by);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// Base variable and index of a pointer expression: p, p + i, &p[i], an array that decays.
void read_pointer(const clang::ASTContext& ast, const clang::Expr* pointer, Access& access);

void read_lvalue(const clang::ASTContext& ast, const clang::Expr* lvalue, Access& access) {
  lvalue = lvalue->IgnoreParens();
  if (auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(lvalue)) return read_lvalue(ast, cast->getSubExpr(), access);
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    access.base = reference->getDecl();
    access.index = IndexPolynomial::constant(0);
    return;
  }
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue)) {
    if (llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) {  // a variable of its object
      access.base = member->getMemberDecl();
      access.index = IndexPolynomial::constant(0);
      return;
    }
    if (member->isArrow())
      read_pointer(ast, member->getBase(), access);
    else
      read_lvalue(ast, member->getBase(), access);
    access.member += "." + member->getMemberNameInfo().getAsString();
    return;
  }
  if (auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
    read_pointer(ast, subscript->getBase(), access);
    auto index = read(ast, subscript->getIdx(), 0);
    if (!access.index || !index) {
      access.index.reset();
      return;
    }
    // A row of a constant array moves the index by the elements it holds.
    long long row = 1;
    clang::QualType element = subscript->getType();
    while (auto* array = ast.getAsConstantArrayType(element)) {
      row *= static_cast<long long>(array->getSize().getZExtValue());
      element = array->getElementType();
    }
    access.index = *access.index + *index * IndexPolynomial::constant(row);
    return;
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(lvalue); unary && unary->getOpcode() == clang::UO_Deref)
    return read_pointer(ast, unary->getSubExpr(), access);
  access.base = nullptr;
  access.index.reset();
}

void read_pointer(const clang::ASTContext& ast, const clang::Expr* pointer, Access& access) {
  pointer = pointer->IgnoreParens();
  if (auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return read_lvalue(ast, cast->getSubExpr(), access);
    return read_pointer(ast, cast->getSubExpr(), access);
  }
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(pointer)) {
    access.base = reference->getDecl();
    access.index = IndexPolynomial::constant(0);
    // A local that is only another name for part of an array: const float* row = A + i * n.
    auto* local = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (local && local->isLocalVarDecl() && local->hasInit() && local->getType()->isPointerType() && is_steady(local)) {
      Access whole;
      read_pointer(ast, local->getInit(), whole);
      if (whole.base && whole.index) {
        access.base = whole.base;
        access.index = whole.index;
      }
    }
    return;
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(pointer); unary && unary->getOpcode() == clang::UO_AddrOf)
    return read_lvalue(ast, unary->getSubExpr(), access);
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(pointer); binary && binary->isAdditiveOp()) {
    const clang::Expr *base = binary->getLHS(), *offset = binary->getRHS();
    if (!base->getType()->isPointerType()) std::swap(base, offset);
    read_pointer(ast, base, access);
    auto index = read(ast, offset, 0);
    if (access.index && index)
      access.index = binary->getOpcode() == clang::BO_Add ? *access.index + *index : *access.index - *index;
    else
      access.index.reset();
    return;
  }
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(pointer)) {
    access.base = member->getMemberDecl();
    access.index = IndexPolynomial::constant(0);
    return;
  }
  access.base = nullptr;
  access.index.reset();
}

bool is_memory(const clang::Expr* lvalue) {
  if (llvm::isa<clang::ArraySubscriptExpr>(lvalue)) return true;
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(lvalue)) return unary->getOpcode() == clang::UO_Deref;
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue))
    return member->isArrow() || is_memory(member->getBase()->IgnoreParenImpCasts());
  return false;
}

void collect(const clang::ASTContext& ast, const clang::Stmt* statement, bool reads, bool writes,
             std::vector<Access>& found) {
  if (!statement) return;
  if (auto* expression = llvm::dyn_cast<clang::Expr>(statement);
      expression && expression->isGLValue() && is_memory(expression)) {
    // An array's row is no access yet, its element is.
    if (!expression->getType()->isArrayType()) {
      Access access;
      access.expression = expression;
      access.reads = reads || !writes;
      access.writes = writes;
      read_lvalue(ast, expression, access);
      found.push_back(std::move(access));
    }
    // Inside: the subscripts read; the lvalue that it is part of does not count again.
    const clang::Expr* inner = expression;
    while (true) {
      inner = inner->IgnoreParenImpCasts();
      if (auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner)) {
        collect(ast, subscript->getIdx(), true, false, found);
        inner = subscript->getBase();
      } else if (auto* member = llvm::dyn_cast<clang::MemberExpr>(inner)) {
        inner = member->getBase();
      } else {
        break;
      }
    }
    if (!is_memory(inner)) {
      for (const clang::Stmt* child : inner->children()) collect(ast, child, true, false, found);
    }
    return;
  }
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement); binary && binary->isAssignmentOp()) {
    collect(ast, binary->getLHS()->IgnoreParens(), binary->isCompoundAssignmentOp(), true, found);
    collect(ast, binary->getRHS(), true, false, found);
    return;
  }
  // Assignments of class types: __half is one.
  if (auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement); call && call->isAssignmentOp()) {
    collect(ast, call->getArg(0)->IgnoreParens(), call->getOperator() != clang::OO_Equal, true, found);
    collect(ast, call->getArg(1), true, false, found);
    return;
  }
  if (auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement); unary && unary->isIncrementDecrementOp()) {
    collect(ast, unary->getSubExpr()->IgnoreParens(), true, true, found);
    return;
  }
  for (const clang::Stmt* child : statement->children()) collect(ast, child, true, false, found);
}

}  // namespace

std::optional<IndexPolynomial> IndexPolynomial::of(const clang::ASTContext& ast, const clang::Expr* expression) {
  return read(ast, expression, 0);
}

IndexPolynomial IndexPolynomial::constant(long long value) {
  IndexPolynomial result;
  if (value != 0) result.terms_[{}] = value;
  return result;
}

IndexPolynomial IndexPolynomial::variable(const clang::ValueDecl* declaration) {
  IndexPolynomial result;
  result.terms_[{declaration}] = 1;
  return result;
}

IndexPolynomial IndexPolynomial::operator+(const IndexPolynomial& other) const {
  IndexPolynomial result = *this;
  for (const auto& [monomial, factor] : other.terms_)
    if ((result.terms_[monomial] += factor) == 0) result.terms_.erase(monomial);
  return result;
}

IndexPolynomial IndexPolynomial::operator-(const IndexPolynomial& other) const {
  return *this + other * constant(-1);
}

IndexPolynomial IndexPolynomial::operator*(const IndexPolynomial& other) const {
  IndexPolynomial result;
  for (const auto& [left, left_factor] : terms_) {
    for (const auto& [right, right_factor] : other.terms_) {
      Monomial product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      if ((result.terms_[product] += left_factor * right_factor) == 0) result.terms_.erase(product);
    }
  }
  return result;
}

std::optional<long long> IndexPolynomial::as_constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

bool IndexPolynomial::depends_on(const clang::ValueDecl* variable) const {
  for (const auto& [monomial, factor] : terms_)
    if (std::find(monomial.begin(), monomial.end(), variable) != monomial.end()) return true;
  return false;
}

std::optional<IndexPolynomial> IndexPolynomial::stride(const clang::ValueDecl* variable) const {
  IndexPolynomial result;
  for (const auto& [monomial, factor] : terms_) {
    auto count = std::count(monomial.begin(), monomial.end(), variable);
    if (count == 0) continue;
    if (count > 1) return std::nullopt;
    Monomial rest;
    std::copy_if(monomial.begin(), monomial.end(), std::back_inserter(rest),
                 [&](auto* part) { return part != variable; });
    result.terms_[rest] += factor;
  }
  return result;
}

Stride Access::stride(const clang::VarDecl* variable) const {
  if (!base || !index) return Stride::unknown;
  auto step = index->stride(variable);
  if (!step) return Stride::unknown;
  auto value = step->as_constant();
  if (!value) return Stride::other;
  return *value == 0 ? Stride::zero : *value == 1 ? Stride::one : Stride::other;
}

std::vector<Access> accesses_in(const clang::ASTContext& ast, const clang::Stmt* statement) {
  std::vector<Access> found;
  collect(ast, statement, false, false, found);
  return found;
}

}  // namespace hone::frontend
