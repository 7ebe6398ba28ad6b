#include <map>

#include "tests/mutation/operators.h"

namespace hone::mutation {
namespace {

using namespace clang;

struct Exchange {
  const char* kind;
  std::vector<const char*> others;
};

const Exchange* exchange_of(BinaryOperatorKind kind) {
  static const std::map<BinaryOperatorKind, Exchange> table = {{BO_Add, {"arithmetic", {"-"}}},
                                                               {BO_Sub, {"arithmetic", {"+"}}},
                                                               {BO_Mul, {"arithmetic", {"+", "/"}}},
                                                               {BO_Div, {"arithmetic", {"*"}}},
                                                               {BO_Rem, {"arithmetic", {"/"}}},
                                                               {BO_AddAssign, {"arithmetic", {"-=", "="}}},
                                                               {BO_SubAssign, {"arithmetic", {"+=", "="}}},
                                                               {BO_MulAssign, {"arithmetic", {"+=", "="}}},
                                                               {BO_DivAssign, {"arithmetic", {"*=", "="}}},
                                                               {BO_And, {"bits", {"|", "^"}}},
                                                               {BO_Or, {"bits", {"&", "^"}}},
                                                               {BO_Xor, {"bits", {"|", "&"}}},
                                                               {BO_AndAssign, {"bits", {"|=", "="}}},
                                                               {BO_OrAssign, {"bits", {"^=", "="}}},
                                                               {BO_XorAssign, {"bits", {"|=", "="}}},
                                                               {BO_Shl, {"shift", {">>"}}},
                                                               {BO_Shr, {"shift", {"<<"}}},
                                                               {BO_ShlAssign, {"shift", {">>="}}},
                                                               {BO_ShrAssign, {"shift", {"<<="}}},
                                                               {BO_LAnd, {"logic", {"||"}}},
                                                               {BO_LOr, {"logic", {"&&"}}},
                                                               {BO_LT, {"comparison", {"<=", ">", "!="}}},
                                                               {BO_LE, {"comparison", {"<", ">="}}},
                                                               {BO_GT, {"comparison", {">=", "<"}}},
                                                               {BO_GE, {"comparison", {">", "<="}}},
                                                               {BO_EQ, {"comparison", {"!=", "<="}}},
                                                               {BO_NE, {"comparison", {"==", "<"}}}};
  const auto found = table.find(kind);
  return found == table.end() ? nullptr : &found->second;
}

std::string name_of(const CallExpr& node) {
  const FunctionDecl* function = node.getDirectCallee();
  return function && function->getIdentifier() ? function->getName().str() : std::string();
}

const DeclRefExpr* reference_of(const CallExpr& node) {
  return llvm::dyn_cast<DeclRefExpr>(node.getCallee()->IgnoreImpCasts());
}

bool same_type(QualType a, QualType b) {
  return a.getCanonicalType().getUnqualifiedType() == b.getCanonicalType().getUnqualifiedType();
}

void change_smaller_and_larger(const CallExpr& node, const std::string& name, Changes& changes) {
  static const std::map<std::string, const char*> others = {
      {"min", "max"},     {"max", "min"},     {"fmin", "fmax"},           {"fmax", "fmin"},
      {"fminf", "fmaxf"}, {"fmaxf", "fminf"}, {"atomicMin", "atomicMax"}, {"atomicMax", "atomicMin"}};
  const auto other = others.find(name);
  if (const DeclRefExpr* callee = reference_of(node); callee && other != others.end())
    changes.replace("minmax", callee->getLocation(), other->second);
}

void drop_atomicity(const CallExpr& node, const std::string& name, Changes& changes) {
  if (node.getNumArgs() != 2) return;
  const std::string place = "*(" + changes.text(node.getArg(0)) + ")", value = "(" + changes.text(node.getArg(1)) + ")";
  if (name == "atomicAdd") changes.replace("atomic", node.getSourceRange(), place + " += " + value);
  if (name == "atomicOr") changes.replace("atomic", node.getSourceRange(), place + " |= " + value);
  if (name == "atomicXor") changes.replace("atomic", node.getSourceRange(), place + " ^= " + value);
  if (name == "atomicMax" || name == "atomicMin") {
    const std::string of = name == "atomicMax" ? "max" : "min";
    changes.replace("atomic", node.getSourceRange(), place + " = " + of + "(" + place + ", " + value + ")");
  }
}

// Names of local variables in an index, in their order.
void collect(const Stmt* node, std::vector<const DeclRefExpr*>& found) {
  if (!node) return;
  if (const auto* name = llvm::dyn_cast<DeclRefExpr>(node))
    if (const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
        variable && variable->isLocalVarDecl() && variable->getType()->isIntegerType())
      found.push_back(name);
  for (const Stmt* child : node->children()) collect(child, found);
}

void exchange_names(const ArraySubscriptExpr& node, Changes& changes) {
  std::vector<const DeclRefExpr*> names;
  collect(node.getIdx(), names);
  for (const DeclRefExpr* second : names) {
    if (second->getDecl() == names.front()->getDecl()) continue;
    const auto whole = changes.range(node.getIdx()), a = changes.range(names.front()), b = changes.range(second);
    if (!whole || !a || !b || a->end > b->begin) return;
    changes.replace("indices", whole,
                    changes.text(TextRange{whole->begin, a->begin}) + changes.text(*b) +
                        changes.text(TextRange{a->end, b->begin}) + changes.text(*a) +
                        changes.text(TextRange{b->end, whole->end}));
    return;
  }
}

}  // namespace

void change_operator(const BinaryOperator& node, Changes& changes) {
  const Exchange* exchange = exchange_of(node.getOpcode());
  if (!exchange) return;
  for (const char* other : exchange->others) changes.replace(exchange->kind, node.getOperatorLoc(), other);
}

void change_operands(const BinaryOperator& node, Changes& changes) {
  if (node.getOpcode() != BO_Sub && node.getOpcode() != BO_Div && node.getOpcode() != BO_Rem &&
      node.getOpcode() != BO_Shl)
    return;
  if (!node.getLHS()->getType()->isArithmeticType() || !node.getRHS()->getType()->isArithmeticType()) return;
  changes.replace(
      "operands", &node,
      "(" + changes.text(node.getRHS()) + ") " + node.getOpcodeStr().str() + " (" + changes.text(node.getLHS()) + ")");
}

void change_sign(const UnaryOperator& node, Changes& changes) {
  const Expr* operand = node.getSubExpr();
  switch (node.getOpcode()) {
    case UO_Minus:
      return changes.replace("arithmetic", &node, "(" + changes.text(operand) + ")");
    case UO_Not:
      return changes.replace("bits", &node, "(" + changes.text(operand) + ")");
    case UO_LNot:
      return changes.replace("logic", &node, "(" + changes.text(operand) + ")");
    case UO_PreInc:
    case UO_PostInc:
      changes.replace("arithmetic", node.getOperatorLoc(), "--");
      break;
    case UO_PreDec:
    case UO_PostDec:
      changes.replace("arithmetic", node.getOperatorLoc(), "++");
      break;
    default:
      return;
  }
  const std::string sign = node.isIncrementOp() ? "++" : "--", name = changes.text(operand);
  changes.replace("order", node.getSourceRange(), node.isPostfix() ? sign + name : name + sign);
}

// (a + b) * c without its brackets.
void change_precedence(const ParenExpr& node, Changes& changes) {
  if (llvm::isa<BinaryOperator>(node.getSubExpr()->IgnoreImpCasts()))
    changes.replace("order", node.getSourceRange(), changes.text(node.getSubExpr()));
}

void change_choice(const ConditionalOperator& node, Changes& changes) {
  changes.replace("branch", &node, "(" + changes.text(node.getTrueExpr()) + ")");
  changes.replace("branch", &node, "(" + changes.text(node.getFalseExpr()) + ")");
}

void change_index(const ArraySubscriptExpr& node, Changes& changes) {
  const std::string index = "(" + changes.text(node.getIdx()) + ")";
  changes.replace("index", node.getIdx(), index + " + 1");
  changes.replace("index", node.getIdx(), index + " - 1");
  exchange_names(node, changes);
}

void change_call(const CallExpr& node, Changes& changes) {
  const std::string name = name_of(node);
  change_smaller_and_larger(node, name, changes);
  drop_atomicity(node, name, changes);
  const unsigned count = node.getNumArgs();
  // sqrt(x) for x; and what is called with one thing in place of another.
  if (count == 1 && node.getType()->isArithmeticType() && same_type(node.getType(), node.getArg(0)->getType()))
    changes.replace("call", node.getSourceRange(), "(" + changes.text(node.getArg(0)) + ")");
  if (name == "min" || name == "max" || name.starts_with("fm") || llvm::isa<CXXOperatorCallExpr>(node)) return;
  for (unsigned i = 0; i + 1 < count; ++i) {
    const Expr *first = node.getArg(i), *second = node.getArg(i + 1);
    if (!same_type(first->getType(), second->getType())) continue;
    const auto a = changes.range(first), b = changes.range(second);
    if (a && b && a->end <= b->begin)
      changes.replace("arguments", TextRange{a->begin, b->end},
                      changes.text(*b) + changes.text(TextRange{a->end, b->begin}) + changes.text(*a));
  }
}

void change_name(const DeclRefExpr& node, Changes& changes) {
  const auto* parameter = llvm::dyn_cast<ParmVarDecl>(node.getDecl());
  const auto* function = parameter ? llvm::dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  if (!function) return;
  const unsigned count = function->getNumParams(), own = parameter->getFunctionScopeIndex();
  for (unsigned step = 1; step < count; ++step) {
    const ParmVarDecl* other = function->getParamDecl((own + step) % count);
    if (!same_type(other->getType(), parameter->getType())) continue;
    const bool pointer = other->getType()->isPointerType();
    return changes.replace(pointer ? "array" : "size", node.getSourceRange(), other->getNameAsString());
  }
}

}  // namespace hone::mutation
