#include "tool/transforms/calls/body_names.h"

#include <clang/AST/QualTypeNames.h>

#include <algorithm>
#include <cctype>

#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

bool has_word(llvm::StringRef text, const std::string& word) {
  const auto part = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1))
    if (!(at > 0 && part(at - 1)) && !part(at + word.size())) return true;
  return false;
}

bool is_within_function(const clang::Decl* declared) {
  return declared->getDeclContext()->isFunctionOrMethod();
}

const clang::NamedDecl* declaration_of(clang::TypeLoc type) {
  if (auto tag = type.getAs<clang::TagTypeLoc>()) return tag.getDecl();
  if (auto alias = type.getAs<clang::TypedefTypeLoc>()) return alias.getTypedefNameDecl();
  if (auto used = type.getAs<clang::UsingTypeLoc>()) return used.getFoundDecl();
  if (auto made = type.getAs<clang::TemplateSpecializationTypeLoc>())
    return made.getTypePtr()->getTemplateName().getAsTemplateDecl();
  return nullptr;
}

class NameVisitor final : public SyntaxVisitor {
 public:
  NameVisitor(BodyNames& names, const clang::ASTContext& ast) : names_(names), ast_(ast) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const clang::ValueDecl* declared = reference->getDecl();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (variable && is_within_function(variable))
      names_.uses[declared].push_back(reference);
    else if (declared->getDeclName().isIdentifier())
      names_.others.push_back(reference);
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (!self) return true;
    names_.members.push_back(member);
    bases_.insert(self);
    names_.strange |= member->hasQualifier();
    return true;
  }

  bool VisitCXXThisExpr(clang::CXXThisExpr* self) override {
    if (!bases_.contains(self)) names_.pointers.push_back(self);
    return true;
  }

  bool VisitSubstNonTypeTemplateParmExpr(clang::SubstNonTypeTemplateParmExpr* constant) override {
    clang::Expr::EvalResult value;
    const clang::QualType type = constant->getType().getUnqualifiedType().getCanonicalType();
    if (!type->isIntegerType() || type->isEnumeralType() || !constant->EvaluateAsInt(value, ast_)) {
      names_.strange = true;
      return true;
    }
    const std::string number = llvm::toString(value.Val.getInt(), 10);
    const clang::PrintingPolicy policy(ast_.getLangOpts());
    names_.constants.emplace_back(constant, type->isSpecificBuiltinType(clang::BuiltinType::Int) && number[0] != '-'
                                                ? number
                                                : "static_cast<" + type.getAsString(policy) + ">(" + number + ")");
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!llvm::isa<clang::ParmVarDecl>(variable) && variable->getIdentifier()) names_.locals.push_back(variable);
    return true;
  }

  bool VisitElaboratedTypeLoc(clang::ElaboratedTypeLoc type) override {
    const clang::NamedDecl* declared = declaration_of(type.getNamedTypeLoc());
    if (declared && is_within_function(declared)) return true;
    names_.types.push_back({type.getSourceRange(), type.getType(), declared, bool(type.getQualifierLoc()), false});
    return true;
  }

  bool VisitSubstTemplateTypeParmTypeLoc(clang::SubstTemplateTypeParmTypeLoc type) override {
    names_.types.push_back({type.getSourceRange(), type.getType(), nullptr, false, true});
    return true;
  }

 private:
  BodyNames& names_;
  const clang::ASTContext& ast_;
  std::set<const clang::CXXThisExpr*> bases_;
};

bool is_transparent(const clang::Stmt* node) {
  return llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr>(
      node);
}

void note_parents(const clang::Stmt* node, const clang::Stmt* parent,
                  std::map<const clang::Stmt*, const clang::Stmt*>& parents) {
  if (!node) return;
  parents[node] = parent;
  for (const clang::Stmt* child : node->children()) note_parents(child, is_transparent(node) ? parent : node, parents);
}

// `for (i = 0; …)`, whose counter is declared elsewhere.
const clang::DeclRefExpr* counter_of(const clang::Stmt* statement) {
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(statement);
  const auto* start = loop ? llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit()) : nullptr;
  if (!start || start->getOpcode() != clang::BO_Assign) return nullptr;
  return llvm::dyn_cast<clang::DeclRefExpr>(start->getLHS());
}

// The loops that count with a variable; false: something else uses it too.
bool find_loops_of(const clang::VarDecl* variable, const clang::Stmt* statement,
                   std::vector<const clang::DeclRefExpr*>& counters) {
  if (!statement) return true;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return use->getDecl() != variable;
  if (const auto* counter = counter_of(statement); counter && counter->getDecl() == variable) {
    counters.push_back(counter);
    return true;
  }
  return std::ranges::all_of(statement->children(),
                             [&](const clang::Stmt* child) { return find_loops_of(variable, child, counters); });
}

// What unqualified names of the callee find where the kernel stands.
class Scopes {
 public:
  Scopes(const KernelContext& context, const Callee& callee) {
    const auto add = [&](const clang::VarDecl* variable) {
      if (variable->getIdentifier()) hidden_.insert(variable->getName());
    };
    for (const auto* parameter : context.kernel->parameters()) add(parameter);
    for (const auto* variable : declared_in(context.kernel->getBody())) add(variable);
    const clang::DeclContext* scope = scope_of(callee.function);
    for (const clang::DeclContext* here = scope_of(context.kernel); here; here = here->getParent()) {
      here = here->getPrimaryContext();
      if (here == scope) {
        shared_ = true;
        return;
      }
      between_.push_back(here);
    }
  }

  bool hides(llvm::StringRef name) const { return hidden_.contains(name); }

  bool finds(const clang::NamedDecl* declared) const {
    if (!shared_ || (declared->getIdentifier() && hides(declared->getName()))) return false;
    return std::ranges::all_of(
        between_, [&](const clang::DeclContext* scope) { return scope->lookup(declared->getDeclName()).empty(); });
  }
  bool shared() const { return shared_; }

 private:
  static const clang::DeclContext* scope_of(const clang::FunctionDecl* function) {
    return function->getDeclContext()->getRedeclContext()->getPrimaryContext();
  }

  std::set<llvm::StringRef> hidden_;
  std::vector<const clang::DeclContext*> between_;
  bool shared_ = false;
};

// "::app::clamp"; "" where no such name leads there.
std::string global_name(const clang::NamedDecl* declared) {
  std::string name = declared->getQualifiedNameAsString();
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed, at))
    name.erase(at, unnamed.size());
  return name.find('(') == std::string::npos ? "::" + name : "";
}

class NameWriter {
 public:
  NameWriter(Substitution& text, const BodyNames& names, const KernelContext& context, const Callee& callee)
      : text_(text), names_(names), context_(context), callee_(callee), scopes_(context, callee) {}

  bool write(const CalledObject& object, FreshNames& fresh) {
    rename_locals(fresh);
    for (const auto* statement : all_of<clang::DeclStmt>(callee_.body)) declare_counters(*statement);
    for (const auto& [constant, number] : names_.constants) replace(constant->getSourceRange(), number);
    for (const auto* self : names_.pointers)
      if (object.pointer != "this") replace(self->getSourceRange(), object.pointer);
    return std::ranges::all_of(names_.others, [&](const auto* one) { return write_other(one); }) &&
           std::ranges::all_of(names_.types, [&](const auto& one) { return write_type(one); }) &&
           std::ranges::all_of(names_.members, [&](const auto* one) { return write_member(one, object); }) &&
           !text_.spoiled();
  }

 private:
  bool is_cpp() const { return context_.ast.getLangOpts().CPlusPlus; }

  void replace(clang::SourceRange place, const std::string& with) {
    text_.replace(range_in(context_.ast, callee_.file, place), with);
  }

  // Locals of one name keep having one name: what shadows what stays.
  void rename_locals(FreshNames& fresh) {
    const llvm::StringRef body =
        context_.sources().getBufferData(callee_.file).slice(callee_.inside.begin, callee_.inside.end);
    auto& renamed = renamed_;
    for (const auto* local : names_.locals) {
      const std::string name = local->getNameAsString();
      if (!renamed.contains(name)) renamed[name] = fresh.take(name, body);
      if (renamed[name] == name) continue;
      text_.replace_name(local, renamed[name]);
      const auto uses = names_.uses.find(local);
      if (uses == names_.uses.end()) continue;
      for (const auto* use : uses->second) replace(use->getSourceRange(), renamed[name]);
    }
  }

  // C declares counters at the top. In the middle of the kernel they would be variables that a loop around them
  // carries.
  void declare_counters(const clang::DeclStmt& statement) {
    const bool in_c89 = !is_cpp() && !context_.ast.getLangOpts().C99;  // where a loop's header is no scope
    std::string staying;
    std::vector<std::pair<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>>> moving;
    for (const clang::Decl* one : statement.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (!variable || variable->hasInit() || !variable->hasLocalStorage()) return;
      std::vector<const clang::DeclRefExpr*> counters;
      const bool moves = variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified() &&
                         find_loops_of(variable, callee_.body, counters) && !counters.empty() &&
                         !(in_c89 && counters.size() > 1);
      const std::string declared = spelled(context_.ast, variable->getType(), renamed_[variable->getNameAsString()]);
      if (declared.empty()) return;
      if (moves)
        moving.emplace_back(variable, std::move(counters));
      else
        staying += declared + ";\n";
    }
    const auto place = range_in(context_.ast, callee_.file, statement.getSourceRange());
    if (moving.empty() || !place) return;
    for (const auto& [variable, counters] : moving)
      for (const auto* counter : counters) {
        const auto name = range_in(context_.ast, callee_.file, counter->getSourceRange());
        if (!name) return text_.replace(name, "");  // a macro wrote the loop
        text_.insert(name->begin, spelled(context_.ast, variable->getType(), "") + " ");
      }
    text_.replace(place, staying);
  }

  bool write_other(const clang::DeclRefExpr* reference) {
    const clang::NamedDecl* found = reference->getFoundDecl();
    if (reference->hasQualifier() ? scopes_.shared() : scopes_.finds(found)) return true;
    if (!is_cpp()) return !scopes_.hides(reference->getDecl()->getName());
    const std::string name = global_name(reference->getDecl());
    if (name.empty()) return false;
    replace({reference->getBeginLoc(), reference->getNameInfo().getEndLoc()}, name);
    return true;
  }

  bool write_type(const BodyNames::NamedType& named) {
    if (!named.substituted) {
      if (named.qualified && scopes_.shared()) return true;
      if (!named.declared) return scopes_.shared();
      if (scopes_.finds(named.declared)) return true;
      if (!is_cpp()) return llvm::isa<clang::TagDecl>(named.declared) || !scopes_.hides(named.declared->getName());
    }
    const std::string type = spelled(context_.ast, named.type.getUnqualifiedType(), "");
    if (!type.empty()) replace(named.place, type);
    return !type.empty();
  }

  bool write_member(const clang::MemberExpr* member, const CalledObject& object) {
    const auto name = range_in(context_.ast, callee_.file, clang::SourceRange(member->getMemberLoc()));
    if (!name) return false;
    std::string access = object.access;
    if (access.empty()) {
      if (!member->isImplicitAccess() || scopes_.finds(member->getMemberDecl())) return true;
      access = "this->";
    }
    if (member->isImplicitAccess()) {
      text_.replace(TextRange{name->begin, name->begin}, access);
      return true;
    }
    const auto all = range_in(context_.ast, callee_.file, member->getSourceRange());
    if (!all) return false;
    text_.replace(TextRange{all->begin, name->begin}, access);
    return true;
  }

  Substitution& text_;
  const BodyNames& names_;
  const KernelContext& context_;
  const Callee& callee_;
  Scopes scopes_;
  std::map<std::string, std::string> renamed_;
};

}  // namespace

std::string FreshNames::take(const std::string& stem, llvm::StringRef beside) {
  std::string name = stem;
  for (unsigned n = 2;
       has_word(context_->candidate, name) || taken_.contains(name) || (name != stem && has_word(beside, name)); ++n)
    name = stem + "_" + std::to_string(n);
  taken_.insert(name);
  return name;
}

BodyNames::BodyNames(const Callee& callee) {
  NameVisitor visitor(*this, callee.function->getASTContext());
  visitor.TraverseStmt(const_cast<clang::CompoundStmt*>(callee.body));
  note_parents(callee.body, nullptr, parents);
}

bool write_names(Substitution& text, const BodyNames& names, const KernelContext& context, const Callee& callee,
                 const CalledObject& object, FreshNames& fresh) {
  return !names.strange && NameWriter(text, names, context, callee).write(object, fresh);
}

std::string spelled(const clang::ASTContext& ast, clang::QualType type, const std::string& name) {
  const clang::QualType full = clang::TypeName::getFullyQualifiedType(type, ast);
  std::string text = name;
  full.getAsStringInternal(text, clang::PrintingPolicy(ast.getLangOpts()));
  if (text.find("(unnamed") != std::string::npos || text.find("(anonymous") != std::string::npos ||
      text.find("(lambda") != std::string::npos)
    return "";
  return text;
}

}  // namespace hone::frontend
