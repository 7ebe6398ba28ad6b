// Members of an object in locals for as long as the function runs: its pointers and arrays by pointers that overlap
// nothing, its numbers by value.
//
// A store through a pointer may change the object for all that compilers know. They then load pointers, bounds and
// factors again for each element, and vectorize nothing.
//
//   void Mixer::mix() { for (int i = 0; i < count; ++i) levels[i] *= gain; }
//   { const int own_count = count; float* __restrict__ const own_levels = levels; … }
//
// The object is the function's own, or behind a parameter that the function uses for nothing but its members. Vectors,
// arrays and spans of the library that are parameters or locals count as members of no object: what they hold is found
// by pointers too.

#include <clang/AST/ParentMapContext.h>

#include <algorithm>
#include <map>
#include <set>

#include "tool/model/workload_kernel.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The function's own object, or that of a parameter; a member of it. Without a member: a container by itself.
using Root = const VarDecl*;
using Place = std::pair<Root, const FieldDecl*>;

struct Member {
  std::vector<const Expr*> uses;
  bool read = false, written = false, elements = false, spoiled = false;
  std::vector<const CXXMemberCallExpr*> sizes, data;  // of a container
  std::string element;                                // of an array or a container
};

const Stmt* parent_of(ASTContext& ast, const Stmt* node) {
  const auto parents = ast.getParents(*node);
  const Stmt* parent = parents.empty() ? nullptr : parents[0].get<Stmt>();
  return parent && llvm::isa<ParenExpr>(parent) ? parent_of(ast, parent) : parent;
}

// Through conversions to const, which say nothing.
const Stmt* user_of(ASTContext& ast, const Stmt* node) {
  const Stmt* parent = parent_of(ast, node);
  const auto* cast = llvm::dyn_cast_or_null<ImplicitCastExpr>(parent);
  return cast && cast->getCastKind() == CK_NoOp ? user_of(ast, cast) : parent;
}

// A container of the library whose elements lie side by side.
bool is_contiguous(const ASTContext& ast, QualType type) {
  if (!ast.getLangOpts().CPlusPlus11) return false;  // what is written for it has data() and auto
  const auto* made = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!made || !made->isInStdNamespace() || !made->getIdentifier()) return false;
  if (made->getName() == "vector") return !made->getTemplateArgs().get(0).getAsType()->isBooleanType();
  return made->getName() == "array" || made->getName() == "span";
}

class Reader {
 public:
  explicit Reader(const KernelContext& context) : ast_(context.ast), body_(context.kernel->getBody()) { read(); }

  std::map<Place, Member> members;
  std::vector<Place> order;  // of the first use

 private:
  void read() {
    if (!all_of<LambdaExpr>(body_).empty()) return;
    std::map<Root, std::size_t> used;
    for (const auto* use : all_of<MemberExpr>(body_)) {
      const auto root = root_of(*use);
      if (!root) continue;
      ++used[*root];
      const auto* field = llvm::dyn_cast<FieldDecl>(use->getMemberDecl());
      if (field)
        note({*root, field}, *use);
      else if (!llvm::isa<CXXMethodDecl>(use->getMemberDecl()) ||
               !llvm::cast<CXXMethodDecl>(use->getMemberDecl())->isStatic())
        called_.insert(*root);
    }
    for (const auto* use : all_of<DeclRefExpr>(body_))
      if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl()); variable && is_own_container(*variable))
        note({variable, nullptr}, *use);
    for (auto& [place, member] : members)
      if (!place.second)
        continue;
      else if (called_.contains(place.first) || count_of(place.first) != used[place.first])
        member.spoiled = true;
  }

  std::optional<Root> root_of(const MemberExpr& use) const {
    const Expr* base = use.getBase()->IgnoreParenImpCasts();
    if (llvm::isa<CXXThisExpr>(base)) return nullptr;
    const auto* reference = llvm::dyn_cast<DeclRefExpr>(base);
    const auto* parameter = reference ? llvm::dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
    if (parameter && is_own_container(*parameter)) return std::nullopt;
    const bool behind = parameter && (use.isArrow() || parameter->getType()->isReferenceType());
    return behind ? std::optional<Root>(parameter) : std::nullopt;
  }

  // How often the object is mentioned; `return *this` does it no harm.
  std::size_t count_of(Root root) const {
    std::size_t count = 0;
    if (root) {
      for (const auto* one : all_of<DeclRefExpr>(body_)) count += one->getDecl() == root;
    } else {
      count = all_of<CXXThisExpr>(body_).size();
      for (const auto* end : all_of<ReturnStmt>(body_)) {
        const auto* value = llvm::dyn_cast_or_null<UnaryOperator>(end->getRetValue());
        count -= value && value->getOpcode() == UO_Deref && llvm::isa<CXXThisExpr>(value->getSubExpr());
      }
    }
    return count;
  }

  // A parameter, or a local that is declared by itself.
  bool is_own_container(const VarDecl& variable) const {
    return variable.hasLocalStorage() && !variable.isImplicit() && variable.getIdentifier() &&
           is_contiguous(ast_, variable.getType().getNonReferenceType()) &&
           (llvm::isa<ParmVarDecl>(variable) || (!variable.getType()->isReferenceType() && variable.hasInit()));
  }

  void note(const Place& place, const Expr& use) {
    if (!members.contains(place)) order.push_back(place);
    Member& member = members[place];
    member.uses.push_back(&use);
    const Stmt* user = user_of(ast_, &use);
    const auto* cast = llvm::dyn_cast_or_null<ImplicitCastExpr>(user);
    const auto* binary = llvm::dyn_cast_or_null<BinaryOperator>(user);
    const auto* unary = llvm::dyn_cast_or_null<UnaryOperator>(user);
    if (cast && cast->getCastKind() == CK_LValueToRValue) {
      member.read = true;
    } else if ((binary && binary->isAssignmentOp() && binary->getLHS()->IgnoreParens() == &use) ||
               (unary && unary->isIncrementDecrementOp())) {
      member.read = member.written = true;
    } else if (!note_element(member, use, user)) {
      member.spoiled = true;
    }
  }

  // a[i] of an array; v[i] and v.size() of a container.
  bool note_element(Member& member, const Expr& use, const Stmt* user) {
    const auto* decay = llvm::dyn_cast_or_null<ImplicitCastExpr>(user);
    if (decay && decay->getCastKind() == CK_ArrayToPointerDecay) {
      const auto* element = llvm::dyn_cast_or_null<ArraySubscriptExpr>(parent_of(ast_, decay));
      if (!element || element->getType()->isArrayType()) return false;
      return set_element(member, element->getType());
    }
    if (const auto* element = llvm::dyn_cast_or_null<CXXOperatorCallExpr>(user);
        element && element->getOperator() == OO_Subscript && element->getArg(0)->IgnoreParenImpCasts() == &use &&
        is_contiguous(ast_, use.getType()))
      return set_element(member, element->getType());
    const auto* function = llvm::dyn_cast_or_null<MemberExpr>(user);
    if (!function || !is_contiguous(ast_, use.getType())) return false;
    const auto* call = llvm::dyn_cast_or_null<CXXMemberCallExpr>(parent_of(ast_, function));
    const std::string name = function->getMemberNameInfo().getAsString();
    if (!call || call->getNumArgs() != 0) return false;
    if (name == "size") member.sizes.push_back(call);
    if (name != "data") return name == "size";
    member.data.push_back(call);
    return set_element(member, call->getType()->getPointeeType());
  }

  bool set_element(Member& member, QualType type) const {
    member.elements = true;
    member.element = type.getCanonicalType().getAsString(PrintingPolicy(ast_.getLangOpts()));
    return true;
  }

  ASTContext& ast_;
  const Stmt* body_;
  std::set<Root> called_;
};

class Writer {
 public:
  explicit Writer(const KernelContext& context) : context_(context), reader_(context), edits_(context) {
    const LoopNest nest(context);
    for (const Loop& loop : nest.loops())
      for (const auto* use : all_of<Expr>(loop.statement))
        if (llvm::isa<MemberExpr, DeclRefExpr>(use)) in_loops_.insert(use);
    for (const Place& place : reader_.order) add(place, reader_.members.at(place));
  }

  bool any() const { return any_; }

  std::optional<std::string> candidate() {
    const auto statements = statements_of(context_.kernel->getBody());
    if (!any() || statements.empty()) return std::nullopt;
    if (!before_.empty()) edits_.insert_before(statements.front(), before_);
    for (const auto& [declared, text] : behind_) edits_.insert_after(declared, "\n" + text);
    if (after_.empty()) return edits_.candidate();
    if (llvm::isa<ReturnStmt>(statements.back()))
      edits_.insert_before(statements.back(), after_);
    else
      edits_.insert_after(statements.back(), after_);
    return edits_.candidate();
  }

 private:
  std::string path_of(const Place& place) const {
    const auto& [root, field] = place;
    if (!field) return root->getNameAsString();
    const std::string name = field->getNameAsString();
    const bool hidden = std::ranges::any_of(context_.kernel->parameters(), [&](const ParmVarDecl* parameter) {
      return parameter->getNameAsString() == name;
    });
    if (!root) return hidden ? "this->" + name : name;
    return root->getNameAsString() + (root->getType()->isPointerType() ? "->" : ".") + field->getNameAsString();
  }

  // Whether the object's class and its bases call nothing else by the member's name.
  bool is_unambiguous(const Place& place) const {
    if (!place.second) return true;
    const auto* method = llvm::dyn_cast<CXXMethodDecl>(context_.kernel);
    const CXXRecordDecl* own = method ? method->getParent() : nullptr;
    if (place.first) {
      const QualType type = place.first->getType();
      own = (type->isPointerType() ? type->getPointeeType() : type.getNonReferenceType())->getAsCXXRecordDecl();
    }
    const auto names_only_it = [&](const CXXRecordDecl* record) {
      return std::ranges::all_of(record->lookup(place.second->getDeclName()),
                                 [&](const NamedDecl* named) { return named == place.second; });
    };
    return !own || (names_only_it(own) && own->forallBases(names_only_it));
  }

  std::string name_of(const Place& place, const char* what = "") {
    std::string stem = place.second ? place.second->getNameAsString() : place.first->getNameAsString();
    while (stem.ends_with('_')) stem.pop_back();
    if (!place.second)
      stem += *what ? "" : "_data";
    else
      stem = (place.first ? place.first->getNameAsString() : "own") + (stem.starts_with('_') ? "" : "_") + stem;
    std::string name = fresh_name(context_, stem + what);
    while (!taken_.insert(name).second) name = fresh_name(context_, name + "_next");
    return name;
  }

  // Whether nothing else points to what it points to, as far as the annotation says.
  std::string restricted(const Place& place) const {
    const bool own = !place.second && !llvm::isa<ParmVarDecl>(place.first);
    if (own && place.first->getType()->getAsCXXRecordDecl()->getName() == "span") return "";
    if (own) return " __restrict__";
    if (has_workload(context_.spec)) return "";
    for (const Parameter& parameter : context_.spec.parameters)
      if (parameter.alias_group != -1 &&
          (parameter.name == path_of(place) || parameter.name == "this->" + path_of(place)))
        return "";
    return " __restrict__";
  }

  // What is written has one way out at most: the end.
  bool ends_once() const {
    const auto statements = statements_of(context_.kernel->getBody());
    const auto ends = all_of<ReturnStmt>(context_.kernel->getBody());
    return ends.empty() || (ends.size() == 1 && ends[0] == statements.back() && is_plain(*ends[0]));
  }
  // What is returned is told behind all writes.
  static bool is_plain(const ReturnStmt& end) {
    const auto writes = [](const Expr* part) {
      const auto* binary = llvm::dyn_cast<BinaryOperator>(part);
      const auto* unary = llvm::dyn_cast<UnaryOperator>(part);
      return (binary && binary->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp()) ||
             llvm::isa<CallExpr>(part);
    };
    return !end.getRetValue() || end.getRetValue()->isGLValue() || std::ranges::none_of(all_of<Expr>(&end), writes);
  }

  void add(const Place& place, const Member& member) {
    const QualType type = type_of(place);
    if (std::ranges::none_of(member.uses, [&](const Expr* use) { return in_loops_.contains(use); })) return;
    if (member.spoiled || type.isVolatileQualified() || !is_unambiguous(place)) return;
    if (place.second ? !place.second->getDeclName() || place.second->isBitField() : !find_declaration(place)) return;
    const bool number = type->isArithmeticType() || type->isEnumeralType();
    const bool pointer =
        type->isPointerType() && !type->getPointeeType()->isFunctionType() && !type->getPointeeType()->isArrayType();
    if (!member.elements && (number || pointer) && !(member.written && !ends_once())) return add_value(place, member);
    if (member.elements && (type->isConstantArrayType() || type->isRecordType())) add_elements(place, member);
    if (!member.sizes.empty()) add_size(place, member);
  }

  static QualType type_of(const Place& place) {
    return place.second ? place.second->getType() : place.first->getType().getNonReferenceType();
  }

  // Where a local of its own kind is declared by itself. A short array is best left where it is.
  bool find_declaration(const Place& place) {
    if (llvm::isa<ParmVarDecl>(place.first)) return true;
    if (place.first->getType()->getAsCXXRecordDecl()->getName() == "array") return false;
    for (const auto* statement : all_of<DeclStmt>(context_.kernel->getBody()))
      if (statement->isSingleDecl() && statement->getSingleDecl() == place.first) {
        declared_[place.first] = statement;
        return std::ranges::none_of(all_of<ForStmt>(context_.kernel->getBody()),
                                    [&](const ForStmt* loop) { return loop->getInit() == statement; });
      }
    return false;
  }

  // At the function's start, or behind the declaration of a local.
  void declare(const Place& place, const std::string& text) {
    any_ = true;
    if (const auto found = declared_.find(place.first); !place.second && found != declared_.end())
      behind_[found->second] += text;
    else
      before_ += text;
  }

  void add_value(const Place& place, const Member& member) {
    const std::string path = path_of(place), name = name_of(place), constant = member.written ? "" : "const ";
    const QualType type = type_of(place);
    std::string spelled = plain_type(context_.ast, type);
    if (spelled.empty()) return;
    if (type->isPointerType())
      declare(place,
              spelled + (member.written ? "" : restricted(place)) + " " + constant + name + " = " + path + ";\n");
    else
      declare(place, constant + spelled + " " + name + " = " + path + ";\n");
    if (member.written) after_ += "\n" + path + " = " + name + ";\n";
    for (const Expr* use : member.uses) edits_.replace(range_of(context_.ast, use->getSourceRange()), name);
  }

  // Where the elements begin: a span's where it was told.
  std::string data_of(const Place& place) const {
    if (!type_of(place)->isRecordType()) return path_of(place);
    const bool span = !place.second && type_of(place)->getAsCXXRecordDecl()->getName() == "span";
    const auto told = span && place.first->hasInit() ? begin_of_span(place.first->getInit()) : std::nullopt;
    return told ? *told : path_of(place) + ".data()";
  }

  // span{p, n} → p; span(v).subspan(k, n) → v.data() + k
  std::optional<std::string> begin_of_span(const Expr* value) const {
    value = value->IgnoreUnlessSpelledInSource()->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<CXXFunctionalCastExpr>(value)) return begin_of_span(cast->getSubExpr());
    if (const auto* made = llvm::dyn_cast<CXXConstructExpr>(value)) {
      const auto given = made->getNumArgs() > 0 ? made->getArg(0)->IgnoreParenImpCasts() : nullptr;
      if (!given || given->isDefaultArgument()) return std::nullopt;
      if (given->getType()->isPointerType()) return closed(text_of(context_.ast, made->getArg(0)));
      return begin_of_span(given);
    }
    if (const auto* call = llvm::dyn_cast<CXXMemberCallExpr>(value)) {
      const std::string name = call->getMethodDecl() ? call->getMethodDecl()->getNameAsString() : "";
      const auto* record = call->getImplicitObjectArgument()->getType()->getAsCXXRecordDecl();
      if (!record || !record->isInStdNamespace() || record->getName() != "span" || call->getNumArgs() == 0)
        return std::nullopt;
      const auto begin = begin_of_span(call->getImplicitObjectArgument());
      if (!begin || name == "first") return begin;
      return name == "subspan" ? std::optional(*begin + " + " + closed(text_of(context_.ast, call->getArg(0))))
                               : std::nullopt;
    }
    if (!is_contiguous(context_.ast, value->getType()) || !llvm::isa<DeclRefExpr, MemberExpr>(value))
      return std::nullopt;
    return text_of(context_.ast, value) + ".data()";
  }

  static std::string closed(const std::string& text) {
    return text.find_first_of(" ?") == std::string::npos ? text : "(" + text + ")";
  }

  void add_elements(const Place& place, const Member& member) {
    const std::string name = name_of(place);
    declare(place, member.element + "*" + restricted(place) + " const " + name + " = " + data_of(place) + ";\n");
    for (const Expr* use : member.uses)
      if (!llvm::isa_and_nonnull<MemberExpr>(user_of(context_.ast, use)))
        edits_.replace(range_of(context_.ast, use->getSourceRange()), name);
    for (const CXXMemberCallExpr* call : member.data)
      edits_.replace(range_of(context_.ast, call->getSourceRange()), name);
  }

  void add_size(const Place& place, const Member& member) {
    const std::string name = name_of(place, "_size");
    declare(place, "const auto " + name + " = " + path_of(place) + ".size();\n");
    for (const CXXMemberCallExpr* call : member.sizes)
      edits_.replace(range_of(context_.ast, call->getSourceRange()), name);
  }

  const KernelContext& context_;
  Reader reader_;
  Edits edits_;
  std::set<const Expr*> in_loops_;
  std::map<const VarDecl*, const DeclStmt*> declared_;
  std::map<const DeclStmt*, std::string> behind_;
  std::string before_, after_;
  bool any_ = false;
  std::set<std::string> taken_;
};

class MemberLocals final : public Transformation {
 public:
  std::string_view name() const override { return "member_locals"; }

  unsigned sites(const KernelContext& context) const override {
    return context.ast.getLangOpts().CPlusPlus && !context.launcher && Writer(context).any() ? 1 : 0;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned, const std::vector<int>&) const override {
    return sites(context) ? Writer(context).candidate() : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_member_locals() {
  return std::make_unique<MemberLocals>();
}

}  // namespace hone::frontend
