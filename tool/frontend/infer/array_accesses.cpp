#include "tool/frontend/infer/array_accesses.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/infer/object_paths.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr unsigned kDeepestFollowed = 4;  // calls

enum class Use { none, read, write, both };

// Elements in a row that the function is given.
struct Array {
  std::string path;
  QualType element;
  bool container = false;
  bool constant = false;
};

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

// Variables that are declared without a value and get one once, as C89 has it.
class LateValues final : public SyntaxVisitor {
 public:
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->isLocalVarDecl() && !variable->getInit()) ++times_[variable];
    if (variable->getType()->isReferenceType() && variable->getInit()) add(variable->getInit(), 2);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    for (const Expr* argument : call->arguments())  // by reference, if nothing reads it first
      if (llvm::isa<DeclRefExpr>(argument->IgnoreParens())) add(argument, 2);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->isAssignmentOp()) add(operation->getLHS(), operation->getOpcode() == BO_Assign ? 1 : 2);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) add(operation->getSubExpr(), 2);
    return true;
  }
  bool is_late(const VarDecl& variable) const {
    const auto found = times_.find(&variable);
    return found != times_.end() && found->second == 2 && !variable.getInit() && variable.isLocalVarDecl();
  }

 private:
  void add(const Expr* target, unsigned times) {
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts()))
      if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl())) times_[variable] += times;
  }
  std::map<const VarDecl*, unsigned> times_;  // one for the declaration
};

std::set<const VarDecl*> modified_later(const Stmt* body) {
  std::set<const VarDecl*> modified = modified_in(body);
  LateValues late;
  late.TraverseStmt(const_cast<Stmt*>(body));
  std::erase_if(modified, [&](const VarDecl* variable) { return late.is_late(*variable); });
  return modified;
}

class Reader {
 public:
  explicit Reader(const FunctionDecl& function) : function_(function), bounds_(function), objects_(function) {
    modified_ = modified_later(function.getBody());
    for (const ParmVarDecl* parameter : function.parameters()) add_parameter(*parameter);
    bounds_.affine().set_members([this](const Expr& expression) -> std::optional<Polynomial> {
      const std::optional<std::string> name = objects_.number(expression);
      if (!name) return std::nullopt;
      numbers_.insert(*name);
      return bounds_.number(*name);
    });
  }

  ArrayAccesses run() {
    find_steps(function_.getBody());
    visit(function_.getBody());
    bounds_.affine().set_members({});
    return {std::move(accesses_), std::move(numbers_), std::move(bounds_), deepest_};
  }

 private:
  void add_parameter(const ParmVarDecl& parameter) {
    const std::string name = parameter.getNameAsString();
    const QualType type = parameter.getType();
    if (name.empty()) return;
    if (type->isPointerType() && !is_put_together(type->getPointeeType(), function_.getASTContext()))
      places_[&parameter] = {array(name, type->getPointeeType()), Polynomial()};
    else if (add_container(name, type))
      use_of(*arrays_.find(name)->second);
  }

  const Array* array(const std::string& path, QualType element) {
    const auto [known, is_new] = arrays_.try_emplace(path);
    if (is_new) known->second = std::make_unique<Array>(Array{path, element, false, element.isConstQualified()});
    return known->second.get();
  }
  const Array* add_container(const std::string& path, QualType type) {
    const QualType whole = type.getNonReferenceType();
    const auto container = container_type(whole);
    if (!container) return nullptr;
    const auto [known, is_new] = arrays_.try_emplace(path);
    if (is_new)
      known->second = std::make_unique<Array>(
          Array{path, container->element, true, container->constant || whole.isConstQualified()});
    return known->second.get();
  }
  ArrayUse& use_of(const Array& array) {
    ArrayUse& use = accesses_[array.path];
    use.container = array.container;
    use.constant = array.constant;
    return use;
  }

  // The array that a member is, or points to; null: it is none, or clauses have no name for it.
  const Array* member_array(const Expr& expression) {
    const auto* member = llvm::dyn_cast<MemberExpr>(&expression);
    const auto* field = member ? llvm::dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
    const std::optional<ObjectPaths::Path> path = field ? objects_.find(&expression) : std::nullopt;
    if (!path) return nullptr;
    const QualType type = field->getType();
    if (!type->isPointerType()) return add_container(path->text, expression.getType());
    const QualType element = type->getPointeeType();
    if (element->isVoidType() || element->isFunctionType()) return nullptr;
    return is_put_together(element, function_.getASTContext()) ? nullptr : array(path->text, element);
  }

  // What `x[i]`, `x.data()` and `x.begin()` are called on.
  const Array* container_of(const Expr& container) {
    const Expr* plain = container.IgnoreParenImpCasts();
    if (const Array* member = member_array(*plain)) return member->container ? member : nullptr;
    const std::optional<ObjectPaths::Path> path = objects_.find(plain);
    return path && !path->text.empty() ? add_container(path->text, plain->getType()) : nullptr;
  }

  std::string line(const Stmt& at) const {
    const SourceManager& sources = function_.getASTContext().getSourceManager();
    return std::to_string(sources.getPresumedLineNumber(sources.getExpansionLoc(at.getBeginLoc())));
  }

  // Pointers and integers that only count along, by the step of each count and the loops around it.
  void find_steps(const Stmt* statement) {
    if (!statement) return;
    if (const auto* loop = llvm::dyn_cast<ForStmt>(statement)) {
      find_steps(loop->getInit());
      bounds_.enter(*loop, modified_in(loop->getBody()));
      find_steps(loop->getBody());
      find_steps(loop->getInc());
      return bounds_.leave();
    }
    if (llvm::isa<WhileStmt, DoStmt, CXXForRangeStmt>(statement)) {
      if (const auto* loop = llvm::dyn_cast<WhileStmt>(statement))
        bounds_.enter_while(loop->getCond(), modified_in(loop->getBody()));
      else
        bounds_.enter_unknown();
      for (const Stmt* child : statement->children()) find_steps(child);
      return bounds_.leave();
    }
    if (const auto* directive = llvm::dyn_cast<OMPExecutableDirective>(statement))
      return directive->hasAssociatedStmt() ? find_steps(directive->getRawStmt()) : void();
    note_declared(statement);
    note_late(statement);
    if (const auto* unary = llvm::dyn_cast<UnaryOperator>(statement); unary && unary->isIncrementDecrementOp())
      add_step(unary->getSubExpr(), unary->isIncrementOp() ? std::optional(Polynomial(1)) : std::nullopt);
    if (const auto* assign = llvm::dyn_cast<BinaryOperator>(statement); assign && assign->isAssignmentOp())
      add_step(assign->getLHS(),
               assign->getOpcode() == BO_AddAssign ? bounds_.affine().value(assign->getRHS()) : std::nullopt);
    for (const Stmt* child : statement->children()) find_steps(child);
  }

  void note_declared(const Stmt* statement) {
    const auto* declared = llvm::dyn_cast<DeclStmt>(statement);
    if (!declared) return;
    for (const Decl* one : declared->decls()) {
      const auto* variable = llvm::dyn_cast<VarDecl>(one);
      if (!variable || !variable->getInit()) continue;
      declared_at_[variable] = bounds_.depth();
      if (variable->getType()->isIntegerType() && !modified_.contains(variable))
        if (auto value = bounds_.affine().value(variable->getInit()))
          bounds_.affine().set(*variable, *std::move(value));
    }
  }

  // `n = g->w;` behind `int n;`
  void note_late(const Stmt* statement) {
    const auto* assign = llvm::dyn_cast<BinaryOperator>(statement);
    const auto* use = assign && assign->getOpcode() == BO_Assign
                          ? llvm::dyn_cast<DeclRefExpr>(assign->getLHS()->IgnoreParenCasts())
                          : nullptr;
    const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !variable->isLocalVarDecl() || modified_.contains(variable)) return;
    if (!variable->getType()->isIntegerType()) return;
    if (auto value = bounds_.affine().value(assign->getRHS())) bounds_.affine().set(*variable, *std::move(value));
  }

  void add_step(const Expr* target, std::optional<Polynomial> step) {
    const auto* use = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts());
    const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !(variable->getType()->isPointerType() || variable->getType()->isIntegerType())) return;
    const auto trips = bounds_.trips(declared_at_[variable]);
    auto& [way, each] = steps_.try_emplace(variable, Way{Polynomial(), {}}).first->second;
    if (step && step->constant() && *step->constant() < 0) step.reset();
    if (step) each += bounds_.largest(*step);
    way = way && step && trips ? std::optional(*way + bounds_.largest(*step) * *trips) : std::nullopt;
  }

  // Where the pointer is: for one that counts along, at most.
  Place place_of_variable(const VarDecl& variable) const {
    const auto found = places_.find(&variable);
    if (found == places_.end()) return {};
    Place place = found->second;
    if (!modified_.contains(&variable)) return place;
    const auto way = steps_.find(&variable);
    if (way == steps_.end() || !way->second.all || !place.offset) return {place.array, std::nullopt};
    // Used in front of the steps of its last trip; *p++ at each of them.
    place.offset = *place.offset + *way->second.all - (in_step_ ? Polynomial(1) : way->second.each);
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
    const Array* member = member_array(pointer);
    return {member, member && !objects_.moves(pointer) ? std::optional(Polynomial()) : std::nullopt};
  }

  Place place_of_call(const CXXMemberCallExpr& call) {
    const CXXMethodDecl* method = call.getMethodDecl();
    const Expr* object = call.getImplicitObjectArgument();
    const bool named = method && method->getDeclName().isIdentifier() && object && call.getNumArgs() == 0;
    if (!named || (method->getName() != "data" && method->getName() != "begin")) return {};
    return {container_of(*object), Polynomial()};
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
      Place place{container_of(*call->getArg(0)), Polynomial()};
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
      if (access.open.empty()) access.open = "line " + line(at) + " goes in front of where it points";
    } else if (place.offset)
      access.ends.push_back(bounds_.largest(*place.offset) + Polynomial(1));
    else if (access.open.empty())
      access.open = "where line " + line(at) + " goes in it cannot be said from the text";
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
    if (const auto* declared = llvm::dyn_cast<DeclStmt>(statement)) {
      note_declared(statement);
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

  // `(static_cast<bool>(e) ? void(0) : __assert_fail(…))`
  static const Expr* asserted_by(const Expr& expression) {
    const auto* either = llvm::dyn_cast<ConditionalOperator>(expression.IgnoreParenImpCasts());
    const auto* call = either ? llvm::dyn_cast<CallExpr>(either->getFalseExpr()->IgnoreParenCasts()) : nullptr;
    const FunctionDecl* ends = call ? call->getDirectCallee() : nullptr;
    return ends && ends->isNoReturn() ? either->getCond()->IgnoreParenCasts() : nullptr;
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
    if (const auto way = steps_.find(&variable);
        variable.getType()->isIntegerType() && way != steps_.end() && way->second.all)
      if (const auto first = bounds_.upper(variable.getInit()))
        bounds_.set_rising(variable, *first + *way->second.all - way->second.each);
    visit(variable.getInit());
  }

  void visit_expression(const Expr* expression, Use use) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto* assign = llvm::dyn_cast<BinaryOperator>(expression); assign && assign->isAssignmentOp()) {
      visit(assign->getRHS());
      note_late(assign);
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
      if (const Array* member = member_array(*expression)) use_of(*member);
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
    if (const auto object = modified_.contains(variable) ? std::nullopt : objects_.find(assign.getRHS()))
      objects_.name(*variable, *object);
    Place place = place_of(assign.getRHS());
    if (modified_.contains(variable)) place.offset.reset();
    places_[variable] = {place.array ? place.array : places_[variable].array, std::move(place.offset)};
  }

  void visit_call(const CallExpr& call) {
    const FunctionDecl* callee = call.getDirectCallee();
    const std::string name = callee ? callee->getNameAsString() : "";
    visit(call.getCallee(), Use::none);
    for (const Expr* argument : call.arguments()) visit(argument, Use::none);
    if (copies_memory(call, name) || sorts(call, name) || moves_vector(call, name)) return;
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

  // qsort(elements, n, …)
  bool sorts(const CallExpr& call, const std::string& name) {
    if (name != "qsort" || call.getNumArgs() != 4) return false;
    Place place = place_of(call.getArg(0)->IgnoreParenCasts());
    const auto count = bounds_.upper(call.getArg(1));
    place.advance(count ? std::optional(*count - Polynomial(1)) : std::nullopt);
    note(place, Use::both, call);
    return true;
  }

  // _mm256_loadu_ps(x + i), _mm_store_si128(…): as many bytes as the register has.
  bool moves_vector(const CallExpr& call, const std::string& name) {
    const bool loads = name.find("_load_") != name.npos || name.find("_loadu_") != name.npos;
    const bool stores =
        name.find("_store_") != name.npos || name.find("_storeu_") != name.npos || name.find("_stream_") != name.npos;
    if (!name.starts_with("_mm") || !(loads || stores) || call.getNumArgs() == 0) return false;
    const double bytes = name.starts_with("_mm512") ? 64 : name.starts_with("_mm256") ? 32 : 16;
    Place place = place_of(call.getArg(0)->IgnoreParenCasts());
    if (!place.array) return true;
    place.advance(Polynomial(bytes / element_size(*place.array) - 1));
    note(place, loads ? Use::read : Use::write, call);
    return true;
  }

  double element_size(const Array& array) const {
    const QualType element = array.element;
    if (element->isIncompleteType() || element->isDependentType()) return 1;
    return static_cast<double>(function_.getASTContext().getTypeSizeInChars(element).getQuantity());
  }

  // memcpy(to, from, n * sizeof(T)) and its kin.
  bool copies_memory(const CallExpr& call, std::string_view name) {
    if (name.starts_with("__builtin_")) name.remove_prefix(10);
    const bool copies = name == "memcpy" || name == "memmove", sets = name == "memset";
    if ((!copies && !sets) || call.getNumArgs() < 3) return false;
    const auto bytes = bounds_.upper(call.getArg(2));
    for (unsigned i = 0; i < (copies ? 2u : 1u); ++i) {
      Place place = place_of(call.getArg(i)->IgnoreParenCasts());
      if (!place.array) continue;
      const double size = element_size(*place.array);
      place.advance(bytes ? std::optional(*bytes * Polynomial(1 / size) - Polynomial(1)) : std::nullopt);
      note(place, i == 0 ? Use::write : Use::read, call);
    }
    return true;
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
                    "' reads it, which line " + line(call) + " calls, cannot be said from the text";
  }

  void follow(const FunctionDecl& callee, const CallExpr& call) {
    ++depth_;
    const std::set<const VarDecl*> inner = modified_later(callee.getBody());
    std::map<const VarDecl*, Place> handed;
    for (unsigned i = 0; i < call.getNumArgs() && i < callee.getNumParams(); ++i)
      if (callee.getParamDecl(i)->getType()->isPointerType())
        if (Place place = place_of(call.getArg(i)); place.array) handed[callee.getParamDecl(i)] = std::move(place);
    bounds_.affine().bind(callee, call.getArgs(), call.getNumArgs());
    modified_.insert(inner.begin(), inner.end());
    for (const ParmVarDecl* parameter : callee.parameters()) {
      places_.erase(parameter);
      declared_at_[parameter] = bounds_.depth();
    }
    for (auto& [parameter, place] : handed) places_[parameter] = std::move(place);
    for (const VarDecl* variable : inner) steps_.erase(variable);
    ObjectPaths::Frame frame = objects_.enter(callee, call);
    find_steps(callee.getBody());
    visit(callee.getBody());
    objects_.leave(std::move(frame));
    --depth_;
  }

  const FunctionDecl& function_;
  Bounds bounds_;
  ObjectPaths objects_;
  std::map<std::string, std::unique_ptr<Array>> arrays_;  // by path
  std::set<std::string> numbers_;
  std::set<const VarDecl*> modified_;
  std::map<const VarDecl*, Place> places_;
  std::map<const VarDecl*, std::size_t> declared_at_;  // depth of loops
  // How far a variable counts along: in all, and in one trip of the loops.
  struct Way {
    std::optional<Polynomial> all;
    Polynomial each;
  };
  std::map<const VarDecl*, Way> steps_;
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
