#include <clang/AST/TypeLoc.h>

#include "tests/mutation/operators.h"

namespace hone::mutation {
namespace {

using namespace clang;

std::vector<const char*> narrower(QualType type) {
  const auto* builtin = type.getCanonicalType()->getAs<BuiltinType>();
  if (!builtin) return {};
  switch (builtin->getKind()) {
    case BuiltinType::Double:
      return {"float"};
    case BuiltinType::Float:
      return {"int"};
    case BuiltinType::Int:
      return {"short", "signed char", "unsigned"};
    case BuiltinType::UInt:
      return {"int", "unsigned short"};
    case BuiltinType::Long:
    case BuiltinType::LongLong:
      return {"int"};
    case BuiltinType::ULong:
    case BuiltinType::ULongLong:
      return {"int", "unsigned"};
    case BuiltinType::Short:
      return {"signed char", "unsigned short"};
    case BuiltinType::UShort:
      return {"unsigned char", "short"};
    case BuiltinType::UChar:
      return {"signed char"};
    case BuiltinType::SChar:
    case BuiltinType::Char_S:
      return {"unsigned char"};
    default:
      return {};
  }
}

// Without what stands around the name of an arithmetic type: const, the brackets of an array.
TypeLoc element_of(TypeLoc type) {
  for (;;) {
    type = type.getUnqualifiedLoc();
    const auto array = type.getAs<ArrayTypeLoc>();
    if (!array) return type;
    type = array.getElementLoc();
  }
}

void narrow(TypeLoc type, Changes& changes) {
  if (type.isNull()) return;
  type = element_of(type);
  if (type.getType()->getContainedAutoType()) return;
  for (const char* other : narrower(type.getType())) changes.replace("type", type.getSourceRange(), other);
}

bool is_zero(const Expr* value) {
  value = value->IgnoreParenImpCasts();
  if (const auto* integer = llvm::dyn_cast<IntegerLiteral>(value)) return integer->getValue() == 0;
  if (const auto* real = llvm::dyn_cast<FloatingLiteral>(value)) return real->getValue().isZero();
  return false;
}

}  // namespace

void change_variable(const VarDecl& node, Changes& changes) {
  if (!node.isLocalVarDecl() || node.isConstexpr() || !node.getTypeSourceInfo()) return;
  narrow(node.getTypeSourceInfo()->getTypeLoc(), changes);
  const Expr* start = node.getInit();
  if (!start || node.isCXXForRangeDecl() || start->getSourceRange().isInvalid()) return;
  if (node.getType()->isArithmeticType() && node.getInitStyle() == VarDecl::CInit)
    changes.replace("init", start->getSourceRange(), is_zero(start) ? "1" : "0");
  else if (llvm::isa<InitListExpr>(start) && node.getType()->isArrayType() && node.getInitStyle() == VarDecl::CInit)
    if (const auto value = changes.range(start); value)
      if (const std::string front = changes.text(TextRange{value->begin - 2, value->begin}); front == "= ")
        changes.replace("init", TextRange{value->begin - 2, value->end}, "");
}

void change_cast(const ExplicitCastExpr& node, Changes& changes) {
  if (!node.getTypeInfoAsWritten() || !node.getType()->isArithmeticType()) return;
  narrow(node.getTypeInfoAsWritten()->getTypeLoc(), changes);
  changes.replace("type", node.getSourceRange(), "(" + changes.text(node.getSubExprAsWritten()) + ")");
}

}  // namespace hone::mutation
