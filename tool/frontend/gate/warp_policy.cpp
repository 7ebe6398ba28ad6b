#include "tool/frontend/gate/warp_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::int64_t kLanes = 32;
constexpr std::uint64_t kAllLanes = 0xffffffff;

const Expr* plain(const Expr* expression) {
  return expression->IgnoreParenImpCasts();
}

const VarDecl* variable_of(const Expr* expression) {
  const auto* use = llvm::dyn_cast<DeclRefExpr>(plain(expression));
  return use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
}

std::string callee_of(const CallExpr& call) {
  const FunctionDecl* called = call.getDirectCallee();
  return called ? called->getNameAsString() : "";
}

// threadIdx.x, which Clang's headers make a property.
bool is_thread_number(const Expr* expression) {
  const auto* access = llvm::dyn_cast<PseudoObjectExpr>(plain(expression));
  const auto* property = access ? llvm::dyn_cast<MSPropertyRefExpr>(access->getSyntacticForm()) : nullptr;
  if (!property || property->getPropertyDecl()->getNameAsString() != "x") return false;
  const Expr* object = plain(property->getBaseExpr());
  if (const auto* bound = llvm::dyn_cast<OpaqueValueExpr>(object)) object = plain(bound->getSourceExpr());
  const VarDecl* base = variable_of(object);
  return base && base->getNameAsString() == "threadIdx";
}

bool returns(const Stmt* branch) {
  if (const auto* block = llvm::dyn_cast<CompoundStmt>(branch))
    return !block->body_empty() && returns(block->body_back());
  return llvm::isa<ReturnStmt>(branch);
}

// One function from its beginning to its end, as it is written.
class WarpReader {
 public:
  explicit WarpReader(const ASTContext& context) : context_(context) {}

  SourceLocation found;  // where lanes that left are read

  // `apart`: only some lanes come here, by a condition that the author wrote.
  void read(const Stmt* statement, bool apart) {
    if (!statement || llvm::isa<LambdaExpr>(statement)) return;
    if (const auto* condition = llvm::dyn_cast<IfStmt>(statement)) return read_if(*condition, apart);
    if (const auto* choice = llvm::dyn_cast<ConditionalOperator>(statement)) apart |= varies(choice->getCond());
    if (const auto* declared = llvm::dyn_cast<DeclStmt>(statement)) note_variables(*declared);
    if (const auto* operation = llvm::dyn_cast<BinaryOperator>(statement); operation && operation->isAssignmentOp())
      read_assignment(*operation, apart);
    for (const Stmt* child : statement->children()) read(child, apart);
  }

 private:
  void read_if(const IfStmt& condition, bool apart) {
    const bool differs = varies(condition.getCond());
    read(condition.getInit(), apart);
    read(condition.getThen(), apart || differs);
    read(condition.getElse(), apart || differs);
    left_ |= splits(condition.getCond()) && returns(condition.getThen());
  }

  void note_variables(const DeclStmt& statement) {
    for (const Decl* declared : statement.decls())
      if (const auto* variable = llvm::dyn_cast<VarDecl>(declared); variable && variable->hasInit())
        if (varies(variable->getInit())) varying_.insert(variable);
  }

  void read_assignment(const BinaryOperator& assignment, bool apart) {
    const VarDecl* variable = variable_of(assignment.getLHS());
    if (!variable) return;
    if (varies(assignment.getRHS())) varying_.insert(variable);
    if (left_ && !apart && found.isInvalid() && takes_from_above(assignment.getRHS(), *variable))
      found = assignment.getOperatorLoc();
  }

  bool takes_from_above(const Stmt* value, const VarDecl& variable) const {
    if (!value || llvm::isa<ConditionalOperator>(value)) return false;
    if (const auto* call = llvm::dyn_cast<CallExpr>(value); call && is_from_above(*call, variable)) return true;
    return std::ranges::any_of(value->children(), [&](const Stmt* one) { return takes_from_above(one, variable); });
  }

  bool is_from_above(const CallExpr& call, const VarDecl& variable) const {
    const std::string name = callee_of(call);
    if ((name != "__shfl_down_sync" && name != "__shfl_xor_sync") || call.getNumArgs() < 3) return false;
    const auto mask = value_of(call.getArg(0));
    return mask && (static_cast<std::uint64_t>(*mask) & kAllLanes) == kAllLanes &&
           variable_of(call.getArg(1)) == &variable;
  }

  std::optional<std::int64_t> value_of(const Expr* expression) const {
    Expr::EvalResult value;
    if (expression->isValueDependent() || !expression->EvaluateAsInt(value, context_)) return std::nullopt;
    return value.Val.getInt().getExtValue();
  }

  bool is_whole_warps(const Expr* expression) const {
    const auto value = value_of(expression);
    return value && *value % kLanes == 0;
  }

  // May lanes of one warp have different values here? What is not known has one.
  bool varies(const Expr* expression) const {
    expression = plain(expression);
    if (is_thread_number(expression)) return true;
    if (const VarDecl* variable = variable_of(expression)) return varying_.contains(variable);
    if (const auto* cast = llvm::dyn_cast<ExplicitCastExpr>(expression)) return varies(cast->getSubExpr());
    if (const auto* one = llvm::dyn_cast<UnaryOperator>(expression))
      return one->getOpcode() != UO_Deref && varies(one->getSubExpr());
    const auto* two = llvm::dyn_cast<BinaryOperator>(expression);
    if (!two || two->getOpcode() == BO_Div || two->getOpcode() == BO_Shr) return false;  // a warp's number
    if (two->getOpcode() == BO_And && (is_whole_warps(two->getLHS()) || is_whole_warps(two->getRHS()))) return false;
    return varies(two->getLHS()) || varies(two->getRHS());
  }

  // Is it true of some lanes of a warp and false of others? A bound of whole warps is met by whole warps.
  bool splits(const Expr* condition) const {
    const auto* two = llvm::dyn_cast<BinaryOperator>(plain(condition));
    if (!two) return false;
    if (two->isLogicalOp()) return splits(two->getLHS()) || splits(two->getRHS());
    if (!two->isRelationalOp()) return false;
    const bool left = varies(two->getLHS()), right = varies(two->getRHS());
    return left != right && !is_whole_warps(left ? two->getRHS() : two->getLHS());
  }

  const ASTContext& context_;
  std::set<const VarDecl*> varying_;
  bool left_ = false;  // some lanes have returned
};

SourceLocation first_of(const Parsed& parsed, Whose whose) {
  for (const FunctionDecl* function : functions_of(parsed, whose)) {
    if (!runs_on_device_alone(*function)) continue;
    WarpReader reader(parsed.context());
    reader.read(function->getBody(), false);
    if (reader.found.isValid()) return reader.found;
  }
  return {};
}

}  // namespace

std::optional<Objection> object_to_lanes_that_left(const Parsed& parsed) {
  const SourceLocation found = first_of(parsed, Whose::candidate);
  if (found.isInvalid()) return std::nullopt;
  return Objection{DiagnosticCode::candidate_device, candidate_line(parsed.sources(), found),
                   "the mask names all 32 lanes, but some may have returned above, and what those give is not defined; "
                   "let all lanes come here and give 0, or whatever changes nothing, for those without work"};
}

bool reads_lanes_that_left(const Parsed& parsed) {
  return first_of(parsed, Whose::user).isValid();
}

}  // namespace hone::frontend
