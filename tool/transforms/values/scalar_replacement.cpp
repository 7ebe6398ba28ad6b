// The members of small structs in scalars of their own, and what references name in place of the references.
//
//   const Point q = points[p];  const Point& a = ring[i];  s += q.x * a.x;
//   const double q_x = points[p].x;  s += q_x * ring[i].x;
//
// Compilers take structs apart, but only behind the loops' own transformations, which see numbers and elements of
// arrays and nothing of structs. So does whoever vectorizes: a copy of a struct is a call or a move of memory to them.
//
// A local struct is taken apart where it is named for its members alone, or as a whole in a plain copy from or to
// memory. What a reference is bound to is written in its place where that cannot change in between.

#include <algorithm>
#include <map>
#include <set>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr std::size_t most_members = 16;  // larger ones are tables rather than values

// A struct of a few numbers that is copied member by member. nullptr: anything else.
const RecordDecl* plain_struct(QualType type) {
  const auto* record = type->getAsRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->isUnion() || record->isLambda()) return nullptr;
  const auto* made = llvm::dyn_cast<CXXRecordDecl>(record);
  if (made && !(made->isAggregate() && made->isTriviallyCopyable() && made->getNumBases() == 0)) return nullptr;
  std::size_t members = 0;
  for (const FieldDecl* field : record->fields()) {
    const QualType of = field->getType();
    const bool points =
        of->isPointerType() && !of->getPointeeType()->isFunctionType() && !of->getPointeeType()->isArrayType();
    if (!(of->isArithmeticType() || points) || of.isVolatileQualified() || of.isConstQualified() ||
        field->isBitField() || !field->getDeclName())
      return nullptr;
    ++members;
  }
  return members > 0 && members <= most_members ? record : nullptr;
}

// The expression itself, behind what copies it.
const Expr* copied(const Expr* value) {
  for (;;) {
    value = value->IgnoreParenImpCasts();
    const auto* made = llvm::dyn_cast<CXXConstructExpr>(value);
    if (const auto* cleanups = llvm::dyn_cast<ExprWithCleanups>(value))
      value = cleanups->getSubExpr();
    else if (made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      value = made->getArg(0);
    else
      return value;
  }
}

const ValueDecl* named_by(const Expr* expression) {
  const auto* reference = llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference ? reference->getDecl() : nullptr;
}

// A copy between a struct and a struct as a statement of its own: `a = b;`.
struct WholeCopy {
  const Expr* to = nullptr;
  const Expr* from = nullptr;
};

std::optional<WholeCopy> whole_copy(const Stmt* statement) {
  if (const auto* assigned = llvm::dyn_cast<BinaryOperator>(statement);
      assigned && assigned->getOpcode() == BO_Assign && assigned->getType()->isRecordType())
    return WholeCopy{assigned->getLHS(), copied(assigned->getRHS())};
  const auto* call = llvm::dyn_cast<CXXOperatorCallExpr>(statement);
  if (!call || call->getOperator() != OO_Equal || call->getNumArgs() != 2) return std::nullopt;
  const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
  if (!method || !method->isTrivial()) return std::nullopt;
  return WholeCopy{call->getArg(0), copied(call->getArg(1))};
}

bool is_element(const Expr* expression) {
  const auto* call = llvm::dyn_cast<CXXOperatorCallExpr>(expression);
  return call && call->getOperator() == OO_Subscript;
}

// Does it name memory, without doing anything, so that it may be written and evaluated again?
bool is_place(const Expr* expression) {
  const Expr* bare = expression->IgnoreParenImpCasts();
  const auto* unary = llvm::dyn_cast<UnaryOperator>(bare);
  if (!(llvm::isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(bare) || is_element(bare) ||
        (unary && unary->getOpcode() == UO_Deref)))
    return false;
  const Effects effects = effects_of(expression);
  if (effects.calls_unknown || effects.leaves) return false;
  return std::ranges::none_of(all_of<Expr>(expression), [](const Expr* part) {
    const auto* step = llvm::dyn_cast<UnaryOperator>(part);
    const auto* assigned = llvm::dyn_cast<BinaryOperator>(part);
    return (step && step->isIncrementDecrementOp()) || (assigned && assigned->isAssignmentOp()) ||
           (llvm::isa<CallExpr>(part) && !is_element(part)) || llvm::isa<MaterializeTemporaryExpr>(part);
  });
}

// Could anything be written in front of `.member` or between other operators?
bool is_closed(const Expr* place) {
  return llvm::isa<DeclRefExpr, ArraySubscriptExpr, CXXOperatorCallExpr, ParenExpr, MemberExpr>(
      place->IgnoreImpCasts());
}

class Parts {
 public:
  explicit Parts(const KernelContext& context)
      : context_(context), body_(context.kernel->getBody()), edits_(context), names_(context) {
    if (!all_of<LambdaExpr>(body_).empty()) return;
    for (const auto* declared : all_of<DeclStmt>(body_)) {
      const auto* variable = declared->isSingleDecl() ? llvm::dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
      if (!variable || !variable->hasLocalStorage() || !variable->getDeclName() || !block_of(declared)) continue;
      if (!variable->getType()->isReferenceType())
        take_struct(declared, variable);
      else if (is_the_same_throughout(declared, variable))
        references_.emplace_back(declared, variable);
    }
  }

  bool any() const { return !structs_.empty() || !references_.empty(); }

  // Names first, then what references are bound to, in their order: what is bound may name what is replaced.
  std::optional<std::string> candidate() {
    if (!any()) return std::nullopt;
    for (auto& [variable, one] : structs_) name(*variable, one);
    for (const auto& [declared, variable] : references_) {
      const std::string text = place_text(variable->getInit());
      for (const DeclRefExpr* use : uses_of(variable)) edits_.replace(use, text);
      edits_.replace(declared, "");
    }
    std::map<const Expr*, std::string> copies;
    for (const auto& [variable, one] : structs_) {
      for (const Expr* copy : one.copies) copies.emplace(copy, text_of_copy(*whole_copy(copy), one.record));
      declarations_.emplace(one.declared, declarations(*variable, one));
    }
    for (const auto& [copy, text] : copies) edits_.replace(static_cast<const Stmt*>(copy), text);
    for (const auto& [declared, text] : declarations_) edits_.replace(declared, text);
    return edits_.candidate();
  }

 private:
  struct Struct {
    const DeclStmt* declared = nullptr;
    const RecordDecl* record = nullptr;
    std::vector<const MemberExpr*> members;  // that are named
    std::vector<const Expr*> copies;         // statements that copy it whole
    std::map<const FieldDecl*, std::string> names;
  };

  // The block that it is a statement of. nullptr: it stands in the header of a loop or a branch.
  const CompoundStmt* block_of(const Stmt* statement) const {
    for (const auto* block : all_of<CompoundStmt>(body_))
      if (std::find(block->body_begin(), block->body_end(), statement) != block->body_end()) return block;
    return nullptr;
  }

  std::vector<const DeclRefExpr*> uses_of(const VarDecl* variable) const {
    auto uses = all_of<DeclRefExpr>(body_);
    std::erase_if(uses, [&](const DeclRefExpr* use) { return use->getDecl() != variable; });
    return uses;
  }

  // Is a reference bound to a place that stays where it is as long as the reference is used?
  bool is_the_same_throughout(const DeclStmt* declared, const VarDecl* variable) const {
    const Expr* bound = variable->getInit();
    if (!bound || !is_place(bound) || !range_of(context_.ast, bound)) return false;
    bound = bound->IgnoreParenImpCasts();
    if (!context_.ast.hasSameUnqualifiedType(bound->getType(), variable->getType().getNonReferenceType())) return false;
    // The place is another one as soon as an index, a pointer or a container on the way there is. What of them is in
    // memory itself, any write may change, and any call that nobody knows.
    const Stmt* scope = block_of(declared);
    if (hides_names(scope, bound)) return false;
    return std::ranges::none_of(all_of<Expr>(bound), [&](const Expr* part) {
      const auto* load = llvm::dyn_cast<ImplicitCastExpr>(part);
      if (!is_element(part) && !(load && load->getCastKind() == CK_LValueToRValue)) return false;
      const Expr* from = load ? load->getSubExpr() : llvm::cast<CXXOperatorCallExpr>(part)->getArg(0);
      const ValueDecl* named = named_by(from);
      if (named && is_element(part)) return writes_variable(scope, named) || effects_of(scope).calls_unknown;
      return named && !named->getType()->isReferenceType() ? writes_variable(scope, named) : writes_memory(scope);
    });
  }

  static bool writes_memory(const Stmt* scope) {
    const auto elsewhere = [](const Expr* target) {
      const ValueDecl* named = named_by(target);
      return !named || named->getType()->isReferenceType();
    };
    return effects_of(scope).calls_unknown || std::ranges::any_of(all_of<Expr>(scope), [&](const Expr* part) {
             const auto* binary = llvm::dyn_cast<BinaryOperator>(part);
             const auto* unary = llvm::dyn_cast<UnaryOperator>(part);
             return (binary && binary->isAssignmentOp() && elsewhere(binary->getLHS())) ||
                    (unary && unary->isIncrementDecrementOp() && elsewhere(unary->getSubExpr())) || whole_copy(part);
           });
  }

  void take_struct(const DeclStmt* declared, const VarDecl* variable) {
    const RecordDecl* record = plain_struct(variable->getType());
    if (!record || !begins_plainly(*variable)) return;
    Struct one{declared, record, {}, {}, {}};
    const auto members = all_of<MemberExpr>(body_);
    const auto copies = copies_as_statements();
    for (const DeclRefExpr* use : uses_of(variable)) {
      const auto member = std::ranges::find_if(members, [&](const MemberExpr* named) {
        return !named->isArrow() && named->getBase()->IgnoreParenImpCasts() == use &&
               llvm::isa<FieldDecl>(named->getMemberDecl());
      });
      const auto copy = std::ranges::find_if(copies, [&](const Expr* statement) { return copies_it(statement, use); });
      if (member != members.end())
        one.members.push_back(*member);
      else if (copy != copies.end())
        one.copies.push_back(*copy);
      else
        return;
    }
    structs_.emplace(variable, std::move(one));
  }

  bool begins_plainly(const VarDecl& variable) const {
    if (!variable.getInit()) return true;
    const Expr* value = copied(variable.getInit());
    if (const auto* made = llvm::dyn_cast<CXXConstructExpr>(value))
      return made->getNumArgs() == 0 && made->getConstructor()->isTrivial() && !made->requiresZeroInitialization();
    const auto* list = llvm::dyn_cast<InitListExpr>(value);
    if (!list) return is_place(value);
    return std::ranges::all_of(fields_of(*list), [&](const Expr* one) {
      return llvm::isa<ImplicitValueInitExpr>(one) ||
             (!llvm::isa<CXXDefaultInitExpr, InitListExpr>(one) && range_of(context_.ast, one));
    });
  }

  // In the order of the members, also where names told them.
  static llvm::ArrayRef<const Expr*> fields_of(const InitListExpr& list) {
    const InitListExpr* semantic = list.isSemanticForm() ? &list : list.getSemanticForm();
    return llvm::ArrayRef<const Expr*>(const_cast<InitListExpr*>(semantic)->getInits(), semantic->getNumInits());
  }

  std::vector<const Expr*> copies_as_statements() const {
    std::vector<const Expr*> found;
    for (const auto* block : all_of<CompoundStmt>(body_))
      for (const Stmt* statement : block->body())
        if (const auto* expression = llvm::dyn_cast<Expr>(statement); expression && whole_copy(expression))
          found.push_back(expression);
    return found;
  }

  // Between the variable and memory, or another variable. Member by member that is the same if no member says where.
  static bool copies_it(const Expr* statement, const DeclRefExpr* use) {
    const auto copy = whole_copy(statement);
    const bool stores = copy->from == use;
    if (!stores && copy->to->IgnoreParenImpCasts() != use) return false;
    const Expr* other = stores ? copy->to : copy->from;
    const bool loads = std::ranges::any_of(all_of<ImplicitCastExpr>(other), [](const ImplicitCastExpr* load) {
      return load->getCastKind() == CK_LValueToRValue && !named_by(load->getSubExpr());
    });
    return is_place(other) && !mentions(other, use->getDecl()) && !(stores && loads);
  }

  void name(const VarDecl& variable, Struct& one) {
    for (const FieldDecl* field : one.record->fields())
      one.names[field] = names_.make(variable.getNameAsString() + "_" + field->getNameAsString());
    for (const MemberExpr* member : one.members)
      edits_.replace(member, one.names.at(llvm::cast<FieldDecl>(member->getMemberDecl())));
  }

  std::string place_text(const Expr* place) const {
    const std::string text = edits_.text(place);
    return is_closed(place) ? text : "(" + text + ")";
  }

  // `place.member`, or the scalar that stands for it.
  std::string member_text(const Expr* place, const FieldDecl* field) const {
    const auto found = structs_.find(llvm::dyn_cast_or_null<VarDecl>(named_by(place)));
    return found != structs_.end() ? found->second.names.at(field) : place_text(place) + "." + field->getNameAsString();
  }

  std::string text_of_copy(const WholeCopy& copy, const RecordDecl* record) const {
    std::string text;
    for (const FieldDecl* field : record->fields())
      text += member_text(copy.to, field) + " = " + member_text(copy.from, field) + ";\n";
    return text;
  }

  std::string declarations(const VarDecl& variable, const Struct& one) const {
    const Expr* value = variable.getInit() ? copied(variable.getInit()) : nullptr;
    const auto* list = llvm::dyn_cast_or_null<InitListExpr>(value);
    if (value && llvm::isa<CXXConstructExpr>(value)) value = nullptr;
    std::string text;
    for (const FieldDecl* field : one.record->fields()) {
      const std::string type = plain_type(context_.ast, field->getType());
      const bool constant = variable.getType().isConstQualified(), points = field->getType()->isPointerType();
      text +=
          (constant && !points ? "const " : "") + type + (constant && points ? "const " : " ") + one.names.at(field);
      if (list)
        text += " = " + member_of_list(*list, field, type);
      else if (value)
        text += " = " + member_text(value, field);
      text += ";\n";
    }
    return text;
  }

  std::string member_of_list(const InitListExpr& list, const FieldDecl* field, const std::string& type) const {
    const Expr* value = fields_of(list)[field->getFieldIndex()];
    if (llvm::isa<ImplicitValueInitExpr>(value)) return "0";
    return field->getType()->isPointerType() ? edits_.text(value) : converted(context_.ast, type, edits_.text(value));
  }

  const KernelContext& context_;
  const Stmt* body_;
  Edits edits_;
  NewNames names_;
  std::map<const VarDecl*, Struct> structs_;
  std::vector<std::pair<const DeclStmt*, const VarDecl*>> references_;  // as they stand
  std::map<const DeclStmt*, std::string> declarations_;
};

class ScalarReplacement final : public Transformation {
 public:
  std::string_view name() const override { return "scalar_replacement"; }
  unsigned sites(const KernelContext& context) const override { return Parts(context).any() ? 1 : 0; }
  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    return Parts(context).candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_scalar_replacement() {
  return std::make_unique<ScalarReplacement>();
}

}  // namespace hone::frontend
