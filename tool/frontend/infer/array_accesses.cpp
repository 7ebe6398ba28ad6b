#include "tool/frontend/infer/array_accesses.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/infer/given_arrays.h"
#include "tool/frontend/infer/hindrance.h"
#include "tool/frontend/infer/library_calls.h"
#include "tool/frontend/infer/local_values.h"
#include "tool/frontend/infer/object_paths.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr unsigned kDeepestFollowed = 4;  // calls

enum class Use { none, read, write, both };

// A pointer as an argument's array and a place in it; no array: not an argument's.
struct Place {
  const Array* array = nullptr;
  std::optional<Polynomial> offset;  // in elements; nullopt: not known

  void advance(const std::optional<Polynomial>& elements) {
    if (offset && elements)
      *offset = *offset + *elements;
    else
      offset.reset();
  }
};

class Reader {
 public:
  explicit Reader(const FunctionDecl& function) : function_(function), bounds_(function), objects_(function) {
    for (const ParmVarDecl* parameter : function.parameters()) add_parameter(*parameter);
    bounds_.affine().set_members([this](const Expr& expression) -> std::optional<Polynomial> {
      const std::optional<std::string> name = objects_.number(expression);
      if (!name) return std::nullopt;
      numbers_.insert(*name);
      return bounds_.number(*name);
    });
    bounds_.affine().set_quotients(
        [this](const Polynomial& dividend, const Polynomial& divisor) { return bounds_.quotient(dividend, divisor); });
  }

  ArrayAccesses run() {
    locals_.enter(function_);
    visit(function_.getBody());
    bounds_.affine().set_members({});
    bounds_.affine().set_quotients({});
    return {std::move(accesses_), std::move(numbers_), std::move(bounds_), deepest_};
  }

 private:
  void add_parameter(const ParmVarDecl& parameter) {
    const std::string name = parameter.getNameAsString();
    const QualType type = parameter.getType();
    if (name.empty()) return;
    if (type->isPointerType() && !is_put_together(type->getPointeeType(), function_.getASTContext()))
      places_[&parameter] = {arrays_.behind_pointer(name, type->getPointeeType()), Polynomial()};
    else if (const Array* container = arrays_.in_container(name, type))
      use_of(*container);
  }

  ArrayUse& use_of(const Array& array) {
    ArrayUse& use = accesses_[array.path];
    use.container = array.container;
    use.constant = array.constant;
    return use;
  }

  // Where the pointer is: for one that counts along, at most.
  Place place_of_variable(const VarDecl& variable) const {
    const auto found = places_.find(&variable);
    if (found == places_.end()) return {};
    Place place = found->second;
    if (!locals_.change(variable)) return place;
    const LocalValues::Way* way = locals_.way(variable);
    if (!way || !way->all || !place.offset) return {place.array, std::nullopt};
    // Used in front of the steps of its last trip; *p++ at each of them.
    place.offset = *place.offset + *way->all - (in_step_ ? Polynomial(1) : way->each);
    return place;
  }

  Place place_of(const Expr* pointer) {
    pointer = pointer->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(pointer)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl());
      return variable ? place_of_variable(*variable) : Place{};
    }
    if (llvm::isa<MemberExpr>(pointer) && pointer->getType()->isPointerType()) return place_of_member(*pointer);
    if (const auto* call = llvm::dyn_cast<CXXMemberCallExpr>(pointer)) return place_of_call(*call);
    if (const auto* cast = llvm::dyn_cast<ExplicitCastExpr>(pointer)) {
      Place place = place_of(cast->getSubExpr());
      const QualType from = cast->getSubExpr()->getType(), to = cast->getType();
      if (place.array && !same_elements(from, to)) place.offset.reset();
      return place;
    }
    if (const auto* unary = llvm::dyn_cast<UnaryOperator>(pointer)) {
      if (unary->getOpcode() == UO_AddrOf) return place_of_element(unary->getSubExpr());
      if (unary->isIncrementDecrementOp()) {
        in_step_ = true;
        Place place = place_of(unary->getSubExpr());
        in_step_ = false;
        return place;
      }
    }
    if (const auto* sum = llvm::dyn_cast<BinaryOperator>(pointer); sum && sum->isAdditiveOp()) {
      const bool first = sum->getLHS()->getType()->isPointerType();
      Place place = place_of(first ? sum->getLHS() : sum->getRHS());
      const auto by = sum->getOpcode() == BO_Add ? bounds_.upper(first ? sum->getRHS() : sum->getLHS())
                                                 : bounds_.affine().value(sum->getRHS());
      place.advance(!by || sum->getOpcode() == BO_Add ? by : Polynomial() - *by);
      return place;
    }
    if (pointer->getType()->isArrayType()) return place_of_element(pointer);
    if (const auto* either = llvm::dyn_cast<ConditionalOperator>(pointer)) {
      const Place yes = place_of(either->getTrueExpr()), no = place_of(either->getFalseExpr());
      return {yes.array ? yes.array : no.array, std::nullopt};
    }
    return {};
  }

  // Of a pointer that is a member: where it points to, if nothing moves it.
  Place place_of_member(const Expr& pointer) {
    const Array* member = arrays_.of_member(pointer);
    return {member, member && !objects_.moves(pointer) ? std::optional(Polynomial()) : std::nullopt};
  }

  Place place_of_call(const CXXMemberCallExpr& call) {
    const CXXMethodDecl* method = call.getMethodDecl();
    const Expr* object = call.getImplicitObjectArgument();
    const bool named = method && method->getDeclName().isIdentifier() && object && call.getNumArgs() == 0;
    if (!named || (method->getName() != "data" && method->getName() != "begin")) return {};
    return {arrays_.of_container(*object), Polynomial()};
  }

  static bool same_elements(QualType from, QualType to) {
    return from->isPointerType() && to->isPointerType() &&
           from->getPointeeType().getCanonicalType().getUnqualifiedType() ==
               to->getPointeeType().getCanonicalType().getUnqualifiedType();
  }

  // Of a[i], *p, p->m: the element.
  Place place_of_element(const Expr* element) {
    element = element->IgnoreParens();
    if (const auto* subscript = llvm::dyn_cast<ArraySubscriptExpr>(element)) {
      const Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      // The rows of T (*)[M]: whole rows count.
      if (base->getType()->isArrayType()) return place_of_element(base);
      Place place = place_of(base);
      const auto known = bounds_.affine().value(subscript->getIdx());
      const auto index = known ? known : bounds_.upper(subscript->getIdx());
      place.advance(index);
      return place;
    }
    if (const auto* call = subscripted_container(element)) {
      Place place{arrays_.of_container(*call->getArg(0)), Polynomial()};
      const auto known = bounds_.affine().value(call->getArg(1));
      place.advance(known ? known : bounds_.upper(call->getArg(1)));
      return place;
    }
    if (const auto* unary = llvm::dyn_cast<UnaryOperator>(element); unary && unary->getOpcode() == UO_Deref)
      return place_of(unary->getSubExpr());
    if (const auto* member = llvm::dyn_cast<MemberExpr>(element))
      return member->isArrow() ? place_of(member->getBase()) : place_of_element(member->getBase());
    return {};
  }

  // `x[i]` of a vector.
  static const CXXOperatorCallExpr* subscripted_container(const Expr* element) {
    const auto* call = llvm::dyn_cast<CXXOperatorCallExpr>(element);
    const bool subscript = call && call->getOperator() == OO_Subscript && call->getNumArgs() == 2;
    return subscript && container_type(call->getArg(0)->getType().getNonReferenceType()) ? call : nullptr;
  }

  static bool is_element(const Expr* expression) {
    const auto* unary = llvm::dyn_cast<UnaryOperator>(expression);
    const auto* member = llvm::dyn_cast<MemberExpr>(expression);
    return llvm::isa<ArraySubscriptExpr>(expression) || (unary && unary->getOpcode() == UO_Deref) ||
           (member && member->isArrow()) || subscripted_container(expression);
  }

  void note(const Place& place, Use use, const Stmt& at) {
    if (!place.array) return;
    ArrayUse& access = use_of(*place.array);
    if (use == Use::read || use == Use::both) access.read = true;
    if (use == Use::write || use == Use::both) {
      access.written = true;
      access.partly = access.partly || conditions_ > 0 || !place.offset || !bounds_.fills(*place.offset);
    }
    if (use == Use::none) return;
    if (place.offset && bounds_.is_larger(Polynomial(-1), bounds_.smallest(*place.offset))) {
      if (access.open.empty()) access.open = line_in(function_, at) + " goes in front of where it points";
    } else if (place.offset)
      access.ends.push_back(bounds_.largest(*place.offset) + Polynomial(1));
    else if (access.open.empty())
      access.open = "where " + line_in(function_, at) + " goes in it cannot be said from the text";
  }

  void visit(const Stmt* statement, Use use = Use::read) {
    if (!statement) return;
    if (const auto* expression = llvm::dyn_cast<Expr>(statement)) return visit_expression(expression, use);
    if (const auto* directive = llvm::dyn_cast<OMPExecutableDirective>(statement))
      return directive->hasAssociatedStmt() ? visit(directive->getRawStmt()) : void();
    if (const auto* loop = llvm::dyn_cast<ForStmt>(statement)) return visit_for(*loop);
    if (const auto* loop = llvm::dyn_cast<WhileStmt>(statement)) {
      visit(loop->getCond());
      bounds_.enter_while(loop->getCond(), modified_in(loop->getBody()));
      ++conditions_;
      visit(loop->getBody());
      --conditions_;
      return leave_loop();
    }
    if (llvm::isa<DoStmt, CXXForRangeStmt>(statement)) {
      bounds_.enter_unknown();
      for (const Stmt* child : statement->children()) visit(child);
      return leave_loop();
    }
    if (const auto* either = llvm::dyn_cast<IfStmt>(statement)) return visit_if(*either);
    if (const auto* end = llvm::dyn_cast<ReturnStmt>(statement); end && end->getRetValue())
      hand_out(*end->getRetValue());
    if (const auto* declared = llvm::dyn_cast<DeclStmt>(statement)) {
      locals_.note(statement);
      for (const Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<VarDecl>(one)) declare(*variable);
      return;
    }
    if (llvm::isa<SwitchStmt>(statement)) {
      ++conditions_;
      for (const Stmt* child : statement->children()) visit(child);
      --conditions_;
      return;
    }
    if (const auto* block = llvm::dyn_cast<CompoundStmt>(statement)) return visit_block(*block);
    for (const Stmt* child : statement->children()) visit(child);
  }

  // What an assert() says, or an `if` that leaves, holds for the rest of the block.
  void visit_block(const CompoundStmt& block) {
    const std::size_t before = bounds_.narrowings();
    for (const Stmt* child : block.body()) {
      visit(child);
      if (const auto* either = llvm::dyn_cast<IfStmt>(child); either && !either->getElse() && leaves(either->getThen()))
        bounds_.narrow(either->getCond(), false);
      if (const auto* expression = llvm::dyn_cast<Expr>(child))
        if (const Expr* asserted = asserted_by(*expression)) bounds_.narrow(asserted, true);
    }
    bounds_.widen(before);
  }

  static bool leaves(const Stmt* statement) {
    if (const auto* block = llvm::dyn_cast<CompoundStmt>(statement))
      return !block->body_empty() && leaves(block->body_back());
    return llvm::isa<ContinueStmt, ReturnStmt, BreakStmt>(statement);
  }

  void leave_loop() {
    deepest_ = std::max(deepest_, static_cast<unsigned>(bounds_.depth()));
    bounds_.leave();
  }

  void visit_for(const ForStmt& loop) {
    visit(loop.getInit());
    bounds_.enter(loop, modified_in(loop.getBody()));
    visit(loop.getCond());
    visit(loop.getBody());
    visit(loop.getInc());
    leave_loop();
  }

  void visit_if(const IfStmt& either) {
    visit(either.getInit());
    visit(either.getCond());
    ++conditions_;
    const std::size_t before = bounds_.narrow(either.getCond(), true);
    visit(either.getThen());
    bounds_.widen(before);
    const std::size_t again = bounds_.narrow(either.getCond(), false);
    visit(either.getElse());
    bounds_.widen(again);
    --conditions_;
  }

  void declare(const VarDecl& variable) {
    if (!variable.getInit()) return;
    const bool copies = !variable.getType()->isReferenceType() && !variable.getType()->isPointerType();
    if (const auto object = copies ? std::nullopt : objects_.find(variable.getInit())) objects_.name(variable, *object);
    if (variable.getType()->isPointerType()) {
      if (const Place place = place_of(variable.getInit()); place.array) places_[&variable] = place;
    } else if (variable.getType()->isReferenceType() && is_element(variable.getInit()->IgnoreParenImpCasts())) {
      const bool constant = variable.getType().getNonReferenceType().isConstQualified();
      note(place_of_element(variable.getInit()->IgnoreParenImpCasts()), constant ? Use::read : Use::both,
           *variable.getInit());
    }
    if (const LocalValues::Way* way = locals_.way(variable); variable.getType()->isIntegerType() && way && way->all)
      if (const auto first = bounds_.upper(variable.getInit()))
        bounds_.set_rising(variable, *first + *way->all - way->each);
    visit(variable.getInit());
  }

  void visit_expression(const Expr* expression, Use use) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto* assign = llvm::dyn_cast<BinaryOperator>(expression); assign && assign->isAssignmentOp()) {
      visit(assign->getRHS());
      locals_.note(assign);
      if (assign->getLHS()->getType()->isPointerType()) reassign(*assign);
      return visit(assign->getLHS(), assign->getOpcode() == BO_Assign ? Use::write : Use::both);
    }
    if (const auto* unary = llvm::dyn_cast<UnaryOperator>(expression)) {
      if (unary->isIncrementDecrementOp()) return visit(unary->getSubExpr(), Use::both);
      if (unary->getOpcode() == UO_AddrOf) return visit(unary->getSubExpr(), Use::none);
    }
    if (const auto* either = llvm::dyn_cast<ConditionalOperator>(expression)) {
      visit(either->getCond());
      const std::size_t before = bounds_.narrow(either->getCond(), true);
      visit(either->getTrueExpr(), use);
      bounds_.widen(before);
      const std::size_t again = bounds_.narrow(either->getCond(), false);
      visit(either->getFalseExpr(), use);
      return bounds_.widen(again);
    }
    if (const auto* both = llvm::dyn_cast<BinaryOperator>(expression); both && both->getOpcode() == BO_LAnd) {
      visit(both->getLHS());
      const std::size_t before = bounds_.narrow(both->getLHS(), true);
      visit(both->getRHS());
      return bounds_.widen(before);
    }
    if (llvm::isa<MemberExpr>(expression))
      if (const Array* member = arrays_.of_member(*expression)) use_of(*member);
    if (const auto* member = llvm::dyn_cast<MemberExpr>(expression); member && !member->isArrow())
      return visit(member->getBase(), use);
    if (const auto* call = subscripted_container(expression)) {
      note(place_of_element(call), use, *call);
      visit(call->getArg(0), Use::none);
      return visit(call->getArg(1));
    }
    if (const auto* call = llvm::dyn_cast<CallExpr>(expression)) return visit_call(*call);
    if (is_element(expression)) {
      const bool row = expression->getType()->isArrayType();
      if (!row) note(place_of_element(expression), use, *expression);
      for (const Stmt* child : expression->children())
        if (!llvm::cast<Expr>(child)->getType()->isPointerType() || !is_plain_pointer(child)) visit(child, Use::read);
      return;
    }
    for (const Stmt* child : expression->children()) visit(child);
  }

  static bool is_plain_pointer(const Stmt* statement) {
    return llvm::isa<DeclRefExpr>(llvm::cast<Expr>(statement)->IgnoreParenImpCasts());
  }

  // A pointer that is set anew: from here on it is there, if nothing else moves it.
  void reassign(const BinaryOperator& assign) {
    const auto* use = llvm::dyn_cast<DeclRefExpr>(assign.getLHS()->IgnoreParenImpCasts());
    const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || assign.getOpcode() != BO_Assign) return;
    if (const auto object = locals_.change(*variable) ? std::nullopt : objects_.find(assign.getRHS()))
      objects_.name(*variable, *object);
    Place place = place_of(assign.getRHS());
    if (locals_.change(*variable)) place.offset.reset();
    places_[variable] = {place.array ? place.array : places_[variable].array, std::move(place.offset)};
  }

  // Whoever has an iterator, a pointer or a reference into a container may write to any of its elements.
  void lend(const Array* array, bool constant) {
    if (!array || !array->container) return;
    ArrayUse& use = use_of(*array);
    use.read = use.partly = true;
    use.written = use.written || !constant;
  }

  // `return &v[0];` and `return v[i];` of a reference.
  void hand_out(const Expr& value) {
    if (value.getType()->isPointerType())
      lend(place_of(&value).array, value.getType()->getPointeeType().isConstQualified());
    else if (value.isLValue() && is_element(value.IgnoreParens()))
      lend(place_of_element(&value).array, value.getType().isConstQualified());
  }

  void lend_iterators(const CXXMemberCallExpr& call) {
    const CXXMethodDecl* method = call.getMethodDecl();
    if (!method || method->isConst() || method->isStatic() || call.getType()->isPointerType()) return;
    lend(arrays_.of_container(*call.getImplicitObjectArgument()), false);
  }

  void visit_call(const CallExpr& call) {
    const FunctionDecl* callee = call.getDirectCallee();
    if (const auto* member = llvm::dyn_cast<CXXMemberCallExpr>(&call)) lend_iterators(*member);
    visit(call.getCallee(), Use::none);
    for (const Expr* argument : call.arguments()) visit(argument, Use::none);
    if (const auto transfers = transfers_of(call)) return note_transfers(call, *transfers);
    const FunctionDecl* definition = nullptr;
    const bool on_object = llvm::isa<CXXOperatorCallExpr>(call) && llvm::isa_and_nonnull<CXXMethodDecl>(callee);
    if (callee && !on_object && callee->hasBody(definition) && depth_ < kDeepestFollowed && is_users(*definition))
      return follow(*definition, call);
    for (unsigned i = 0; i < call.getNumArgs(); ++i) hand_over(call, callee, i);
  }

  bool is_users(const FunctionDecl& function) const {
    const SourceManager& sources = function.getASTContext().getSourceManager();
    return !sources.isInSystemHeader(sources.getExpansionLoc(function.getLocation()));
  }

  void note_transfers(const CallExpr& call, const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) {
      Place place = place_of(transfer.pointer->IgnoreParenCasts());
      if (!place.array) continue;
      const auto count = transfer.count ? bounds_.upper(transfer.count) : std::optional(Polynomial(transfer.bytes));
      const double size = transfer.in_bytes ? element_size(*place.array) : 1;
      place.advance(count ? std::optional(*count * Polynomial(1 / size) - Polynomial(1)) : std::nullopt);
      note(place, !transfer.writes ? Use::read : transfer.reads ? Use::both : Use::write, call);
    }
  }

  double element_size(const Array& array) const {
    const QualType element = array.element;
    if (element->isIncompleteType() || element->isDependentType()) return 1;
    return static_cast<double>(function_.getASTContext().getTypeSizeInChars(element).getQuantity());
  }

  // A pointer that goes where nobody looks: two of one array are a range.
  void hand_over(const CallExpr& call, const FunctionDecl* callee, unsigned i) {
    const Expr* argument = call.getArg(i)->IgnoreParenImpCasts();
    const QualType type = argument->getType();
    if (!type->isPointerType() && !type->isArrayType()) return;
    Place place = place_of(argument);
    if (!place.array) return;
    const bool constant = type->isPointerType() && type->getPointeeType().isConstQualified();
    bool range = false;
    for (const Expr* other : call.arguments())
      range = range ||
              (other->IgnoreParenImpCasts() != argument && place_of(other->IgnoreParenImpCasts()).array == place.array);
    ArrayUse& access = use_of(*place.array);
    access.read = true;
    access.written = access.written || !constant;
    access.partly = true;
    if (range && place.offset)
      access.ends.push_back(bounds_.largest(*place.offset));
    else if (access.open.empty())
      access.open = "how far '" + (callee ? callee->getNameAsString() : std::string("a function")) +
                    "' reads it, which " + line_in(function_, call) + " calls, cannot be said from the text";
  }

  void follow(const FunctionDecl& callee, const CallExpr& call) {
    ++depth_;
    std::map<const VarDecl*, Place> handed;
    for (unsigned i = 0; i < call.getNumArgs() && i < callee.getNumParams(); ++i)
      if (callee.getParamDecl(i)->getType()->isPointerType())
        if (Place place = place_of(call.getArg(i)); place.array) handed[callee.getParamDecl(i)] = std::move(place);
    bounds_.affine().bind(callee, call.getArgs(), call.getNumArgs());
    for (const ParmVarDecl* parameter : callee.parameters()) places_.erase(parameter);
    for (auto& [parameter, place] : handed) places_[parameter] = std::move(place);
    ObjectPaths::Frame frame = objects_.enter(callee, call);
    locals_.enter(callee);
    visit(callee.getBody());
    objects_.leave(std::move(frame));
    --depth_;
  }

  const FunctionDecl& function_;
  Bounds bounds_;
  ObjectPaths objects_;
  GivenArrays arrays_{function_, objects_};
  LocalValues locals_{bounds_};
  std::set<std::string> numbers_;
  std::map<const VarDecl*, Place> places_;
  bool in_step_ = false;  // of *p++: its place is looked at where it steps
  std::map<std::string, ArrayUse> accesses_;
  unsigned conditions_ = 0, depth_ = 0, deepest_ = 0;
};

}  // namespace

const ArrayUse* ArrayAccesses::find(const std::string& path) const {
  const auto found = of.find(path);
  return found == of.end() ? nullptr : &found->second;
}

ArrayAccesses array_accesses(const FunctionDecl& function) {
  return Reader(function).run();
}

}  // namespace hone::frontend
