#include "tool/frontend/describe/closure.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

const Decl* at_namespace_level(const Decl* declaration) {
  while (true) {
    const DeclContext* context = declaration->getLexicalDeclContext();
    if (!context || context->isTranslationUnit() || llvm::isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(context))
      return declaration;
    declaration = llvm::cast<Decl>(context);
  }
}

// The comparisons and arithmetic that a template of the standard library may find by argument.
bool found_by_argument(const FunctionDecl& function) {
  if (!function.isOverloadedOperator())
    return function.getIdentifier() &&
           (function.getName() == "swap" || function.getName() == "begin" || function.getName() == "end");
  const OverloadedOperatorKind kind = function.getOverloadedOperator();
  return kind != OO_LessLess && kind != OO_GreaterGreater;  // nearly always printing; counted when referred to
}

// Where complaints of failed calls go; nothing that a kernel computes comes from there.
bool takes_messages(const VarDecl& variable) {
  const std::string name = variable.getQualifiedNameAsString();
  return (name == "stderr" || name == "stdout" || name == "std::cerr" || name == "std::cout") &&
         variable.getASTContext().getSourceManager().isInSystemHeader(variable.getLocation());
}

// Names behind an #if that Clang does not take. In C++ they are no part of the program.
std::vector<std::string> names_left_out(const TranslationUnit& unit, const Item& item) {
  std::vector<std::string> words;
  if (!unit.parsed().language().CUDA) return words;
  const SourceTokens& tokens = unit.tokens();
  for (std::size_t i = tokens.at_or_after(item.begin); i < tokens.size() && tokens[i].begin < item.end; ++i) {
    const bool name = tokens[i].kind == tok::raw_identifier || tokens[i].kind == tok::coloncolon;
    if (name && !tokens[i].directive && unit.is_skipped(unit.main_file(), tokens[i].begin))
      words.push_back(tokens.spelling(i));
  }
  return words;
}

class Collector final : public SyntaxVisitor {
 public:
  Collector(const TranslationUnit& unit, const Outline& outline, Closure& closure)
      : unit_(unit), outline_(outline), closure_(closure) {}

  bool shouldVisitImplicitCode() const { return true; }

  void reach_item(int item) {
    if (closure_.items.insert(item).second) pending_items_.push_back(item);
  }

  void reach(const Decl* declaration);

  // Of the kernel's own class only what the kernel names counts: the judge makes no objects of it.
  void set_own_class(const CXXRecordDecl* own) { own_class_ = own; }

  // The rest of a class stays in the unit, and must compile there; it does not run, so it may do what a kernel may not.
  bool TraverseDecl(Decl* declaration) override {
    const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(declaration);
    if (!method || method == entered_ || quiet_ || !is_beside_kernel(*method))
      return SyntaxVisitor::TraverseDecl(declaration);
    left_.push_back(method);
    return true;
  }

  void run() {
    follow();
    quiet_ = true;
    for (const CXXMethodDecl* method : std::exchange(left_, {})) enter(method);
    follow();
    quiet_ = false;
    check_constants();
  }

 private:
  void follow() {
    while (!pending_items_.empty() || !pending_.empty()) {
      if (!pending_.empty()) {
        const Decl* next = pending_.front();
        pending_.pop_front();
        enter(next);
      } else {
        const int item = pending_items_.front();
        pending_items_.pop_front();
        const Item& reached = outline_.items()[static_cast<std::size_t>(item)];
        for (const Decl* declaration : reached.declarations) enter(declaration);
        reach_names(names_left_out(unit_, reached), reached.declarations.front()->getLexicalDeclContext());
      }
    }
  }

  void check_constants() {
    for (const VarDecl* constant : constants_)
      if (!constant->hasInit() && !set_.contains(constant->getCanonicalDecl()))
        closure_.unset_constants.push_back(constant->getQualifiedNameAsString());
  }

 public:
  bool VisitDeclRefExpr(DeclRefExpr* use) {
    if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl())) check_variable(*variable);
    return reach(use->getDecl()), reach(use->getFoundDecl()), true;
  }
  bool VisitMemberExpr(MemberExpr* use) {
    if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getMemberDecl())) check_variable(*variable);
    return reach(use->getMemberDecl()), reach(use->getFoundDecl().getDecl()), true;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr*) { return closure_.drives_device = true; }
  bool VisitCXXConstructExpr(CXXConstructExpr* use) { return reach(use->getConstructor()), true; }
  bool VisitCXXNewExpr(CXXNewExpr* use) { return reach(use->getOperatorNew()), true; }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* use) { return reach(use->getOperatorDelete()), true; }
  bool VisitOverloadExpr(OverloadExpr* use) {
    for (const NamedDecl* candidate : use->decls()) reach(candidate);
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc type) { return reach(type.getTypedefNameDecl()), true; }
  bool VisitUsingTypeLoc(UsingTypeLoc type) { return reach(type.getFoundDecl()), true; }
  bool VisitTagTypeLoc(TagTypeLoc type) { return reach(type.getDecl()), true; }
  bool VisitInjectedClassNameTypeLoc(InjectedClassNameTypeLoc type) { return reach(type.getDecl()), true; }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
    return reach(type.getTypePtr()->getTemplateName().getAsTemplateDecl()), true;
  }
  bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc type) {
    return reach(type.getTypePtr()->getTemplateName().getAsTemplateDecl()), true;
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc name) {
    if (name && name.getNestedNameSpecifier()->getKind() == NestedNameSpecifier::NamespaceAlias)
      reach(name.getNestedNameSpecifier()->getAsNamespaceAlias());
    return SyntaxVisitor::TraverseNestedNameSpecifierLoc(name);
  }
  bool TraverseConceptReference(ConceptReference* use) {
    reach(use->getNamedConcept());
    return SyntaxVisitor::TraverseConceptReference(use);
  }
  bool TraverseTemplateName(TemplateName name) {
    reach(name.getAsTemplateDecl());
    return SyntaxVisitor::TraverseTemplateName(name);
  }
  void reach_names(const std::vector<std::string>& words, const DeclContext* scope);

 private:
  void enter(const Decl* declaration);
  void enter_record(const CXXRecordDecl& record);
  bool is_around_kernel(const CXXRecordDecl& record) const;
  // Defined in the kernel's class, or in one around that.
  bool is_beside_kernel(const CXXMethodDecl& method) const {
    return method.getLexicalDeclContext()->isRecord() && is_around_kernel(*method.getParent());
  }
  void reach_specializations(const Decl* declaration);
  void reach_found_by_argument(const CXXRecordDecl& record);
  void reach_system(const NamedDecl& declaration, SourceLocation location);
  void check_variable(const VarDecl& variable);

  const TranslationUnit& unit_;
  const Outline& outline_;
  Closure& closure_;
  std::set<const Decl*> seen_;
  std::set<const VarDecl*> constants_;  // __constant__ ones that the host may fill
  std::set<const VarDecl*> set_;        // those of them that the host's code of the closure mentions
  bool in_host_code_ = false;
  const CXXRecordDecl* own_class_ = nullptr;
  const Decl* entered_ = nullptr;           // whose traversal is under way
  std::vector<const CXXMethodDecl*> left_;  // in classes, and not named so far
  bool quiet_ = false;                      // what is met does not run
  std::deque<const Decl*> pending_;
  std::deque<int> pending_items_;
};

void Collector::reach_system(const NamedDecl& declaration, SourceLocation location) {
  if (const auto* function = declaration.getAsFunction(); function && drives_device(*function))
    closure_.drives_device = true;
  std::string text = declaration.getQualifiedNameAsString();
  if (const auto* value = llvm::dyn_cast<ValueDecl>(&declaration))
    text += " " + value->getType().getCanonicalType().getAsString(unit_.context().getPrintingPolicy());
  closure_.system.insert(std::move(text));
  if (const int include = unit_.include_of(location); include >= 0) closure_.includes.insert(include);
}

void Collector::reach(const Decl* declaration) {
  if (!declaration || llvm::isa<ParmVarDecl, TemplateTypeParmDecl, NonTypeTemplateParmDecl>(declaration)) return;
  if (const auto* shadow = llvm::dyn_cast<UsingShadowDecl>(declaration)) {
    reach(shadow->getTargetDecl());
    if (const auto* introducer = llvm::dyn_cast_or_null<Decl>(shadow->getIntroducer())) declaration = introducer;
  }
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration))
    if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) {
      reach(pattern);
      if (!unit_.sources().isInSystemHeader(pattern->getLocation()) && seen_.insert(function).second)
        pending_.push_back(function);
      return;
    }
  if (const auto* specialization = llvm::dyn_cast<ClassTemplateSpecializationDecl>(declaration);
      specialization && !specialization->isExplicitSpecialization()) {
    for (const TemplateArgument& argument : specialization->getTemplateArgs().asArray())
      TraverseTemplateArgument(argument);
    return reach(specialization->getSpecializedTemplate());
  }
  const SourceLocation location = unit_.sources().getExpansionLoc(declaration->getLocation());
  if (location.isInvalid()) return;
  if (const auto* named = llvm::dyn_cast<NamedDecl>(declaration); named && unit_.sources().isInSystemHeader(location))
    return reach_system(*named, location);
  if (!seen_.insert(declaration).second) return;
  if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(declaration);
      method && method->doesThisDeclarationHaveABody() && is_beside_kernel(*method))
    pending_.push_back(method);
  if (unit_.in_main_file(location)) {
    if (const int item = outline_.item_at(unit_.offset(location)); item >= 0) reach_item(item);
  } else if (unit_.is_user_file(unit_.sources().getFileID(location))) {
    const Decl* whole = at_namespace_level(declaration);
    if (std::ranges::find(closure_.in_headers, whole) == closure_.in_headers.end()) {
      closure_.in_headers.push_back(whole);
      pending_.push_back(whole);
    }
  }
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration)) reach(function->getPrimaryTemplate());
  // Other declarations of the same thing: the definition behind a prototype, extern before a variable.
  for (const Decl* other : declaration->redecls())
    if (other != declaration) reach(other);
}

void Collector::enter(const Decl* declaration) {
  const FunctionDecl* function = declaration->getAsFunction();
  in_host_code_ = function && !is_global(*function) && !is_device(*function);
  entered_ = declaration;
  TraverseDecl(const_cast<Decl*>(declaration));
  reach_specializations(declaration);
  if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration)) enter_record(*record);
  if (const auto* pattern = llvm::dyn_cast<ClassTemplateDecl>(declaration)) enter_record(*pattern->getTemplatedDecl());
}

bool Collector::is_around_kernel(const CXXRecordDecl& record) const {
  for (const DeclContext* own = own_class_; own && own->isRecord(); own = own->getParent()) {
    const auto* around = llvm::cast<CXXRecordDecl>(own);
    const CXXRecordDecl* pattern = around->getTemplateInstantiationPattern();
    if ((pattern ? pattern : around)->getCanonicalDecl() == record.getCanonicalDecl()) return true;
  }
  return false;
}

// A class brings its members' definitions outside of it that run without being named, and what finds it by argument.
void Collector::enter_record(const CXXRecordDecl& record) {
  if (!record.isThisDeclarationADefinition()) return;
  const bool own = is_around_kernel(record);
  for (const CXXMethodDecl* method : record.methods())
    if (own)
      left_.push_back(method);  // its definition outside of the class
    else if (method->isVirtual() || llvm::isa<CXXDestructorDecl>(method))
      reach(method);
  for (const Decl* inner : record.decls())
    if (const auto* nested = llvm::dyn_cast<CXXRecordDecl>(inner)) enter_record(*nested);
  reach_found_by_argument(record);
}

void Collector::reach_found_by_argument(const CXXRecordDecl& record) {
  for (std::size_t i = 0; i < outline_.items().size(); ++i) {
    const auto* function = llvm::dyn_cast<FunctionDecl>(outline_.items()[i].declarations.front());
    if (!function || !found_by_argument(*function)) continue;
    for (const ParmVarDecl* parameter : function->parameters()) {
      const CXXRecordDecl* taken = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
      if (taken && taken->getCanonicalDecl() == record.getCanonicalDecl()) reach_item(static_cast<int>(i));
    }
  }
}

void Collector::reach_specializations(const Decl* declaration) {
  if (const auto* pattern = llvm::dyn_cast<ClassTemplateDecl>(declaration)) {
    llvm::SmallVector<ClassTemplatePartialSpecializationDecl*, 4> partial;
    const_cast<ClassTemplateDecl*>(pattern)->getPartialSpecializations(partial);
    for (const Decl* one : partial) reach(one);
    for (const ClassTemplateSpecializationDecl* one : pattern->specializations())
      if (one->isExplicitSpecialization()) reach(one);
  } else if (const auto* pattern = llvm::dyn_cast<FunctionTemplateDecl>(declaration)) {
    for (const FunctionDecl* one : pattern->specializations())
      if (one->getTemplateSpecializationKind() == TSK_ExplicitSpecialization) reach(one);
  } else if (const auto* pattern = llvm::dyn_cast<VarTemplateDecl>(declaration)) {
    for (const VarTemplateSpecializationDecl* one : pattern->specializations())
      if (one->isExplicitSpecialization()) reach(one);
  }
}

void Collector::check_variable(const VarDecl& variable) {
  if (quiet_) return;
  if (!variable.hasGlobalStorage() || variable.isStaticLocal() || variable.isConstexpr() ||
      is_shared_memory(variable) || takes_messages(variable))
    return;
  const QualType type = variable.getType().getNonReferenceType();
  if (unit_.context().getBaseElementType(type).isConstQualified()) return;
  if (variable.hasAttr<CUDAConstantAttr>()) {  // device code cannot change it
    constants_.insert(&variable);
    if (in_host_code_) set_.insert(variable.getCanonicalDecl());
    return;
  }
  const std::string name = variable.getQualifiedNameAsString();
  if (std::ranges::find(closure_.mutable_variables, name) == closure_.mutable_variables.end())
    closure_.mutable_variables.push_back(name);
}

// Names as written in a clause: each looked up from the kernel's scope outwards, or in the namespace or class before
// `::`.
void Collector::reach_names(const std::vector<std::string>& words, const DeclContext* scope) {
  ASTContext& context = unit_.context();
  const DeclContext* qualifier = nullptr;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "::") continue;
    const bool qualified = i > 0 && words[i - 1] == "::";
    const DeclContext* inner = nullptr;
    auto look_in = [&](const DeclContext* where) {
      for (const NamedDecl* found : where->lookup(&context.Idents.get(words[i]))) {
        if (const auto* space = llvm::dyn_cast<NamespaceDecl>(found))
          inner = space;
        else if (const auto* alias = llvm::dyn_cast<NamespaceAliasDecl>(found))
          inner = alias->getNamespace(), reach(alias);
        else if (const auto* type = llvm::dyn_cast<TagDecl>(found))
          inner = type, reach(type);
        else
          reach(found);
      }
    };
    if (qualified && qualifier)
      look_in(qualifier);
    else
      for (const DeclContext* where = scope; where; where = where->getParent()) look_in(where);
    if (!inner && !(qualified && qualifier))
      for (const UsingDirectiveDecl* directive : context.getTranslationUnitDecl()->using_directives())
        look_in(directive->getNominatedNamespace());
    qualifier = inner;
  }
}

std::vector<std::string> names_in(const annotations::Expression& expression, const FunctionDecl& kernel) {
  const SourceTokens tokens(expression.text, permissive_language());
  std::vector<std::string> words;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string word = tokens.spelling(i);
    const bool name =
        tokens[i].kind == tok::raw_identifier &&
        std::ranges::none_of(kernel.parameters(), [&](const ParmVarDecl* p) { return p->getName() == word; });
    if (name || word == "::") words.push_back(std::move(word));
  }
  return words;
}

class MacroCollector {
 public:
  MacroCollector(const TranslationUnit& unit, Closure& closure) : unit_(unit), closure_(closure) {}

  void add(const MacroUse& use) {
    if (!seen_.insert(use.macro).second) return;
    const SourceLocation definition = use.macro->getDefinitionLoc();
    if (unit_.sources().isInSystemHeader(definition)) {
      closure_.system_macros.insert(use.name);
      if (const int include = unit_.include_of(definition); include >= 0) closure_.includes.insert(include);
    } else {
      closure_.macros.push_back(use);
    }
  }

 private:
  const TranslationUnit& unit_;
  Closure& closure_;
  std::set<const MacroInfo*> seen_;
};

bool within_header_declaration(const TranslationUnit& unit, const Closure& closure, const MacroUse& use) {
  return std::ranges::any_of(closure.in_headers, [&](const Decl* declaration) {
    const SourceManager& sources = unit.sources();
    const SourceRange range = declaration->getSourceRange();
    return sources.getFileID(sources.getExpansionLoc(range.getBegin())) == use.file &&
           unit.offset(range.getBegin()) <= use.offset && use.offset <= unit.offset(range.getEnd());
  });
}

void collect_macros(const TranslationUnit& unit, const Outline& outline, const Annotation& annotation,
                    Closure& closure) {
  MacroCollector collector(unit, closure);
  for (const MacroUse& use : unit.macro_uses()) {
    const bool in_main = use.file == unit.main_file();
    const bool used =
        in_main ? closure.items.contains(outline.item_at(use.offset)) : within_header_declaration(unit, closure, use);
    if (used) collector.add(use);
  }
  for (const MacroUse& use : annotation.macros) collector.add(use);
  Preprocessor& preprocessor = unit.parsed().preprocessor();
  for (const int item : closure.items)
    for (const std::string& name : names_left_out(unit, outline.items()[static_cast<std::size_t>(item)]))
      if (const MacroInfo* macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
          macro && !macro->isBuiltinMacro())
        collector.add({unit.main_file(), 0, name, macro});
}

// Code of the unit that the compiler makes an object of, whether it runs or not.
bool is_emitted(const Decl& declaration) {
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration))
    return function->isThisDeclarationADefinition() && function->isExternallyVisible() && !function->isInlined() &&
           !function->isDependentContext();
  const auto* variable = llvm::dyn_cast<VarDecl>(&declaration);
  return variable && variable->isThisDeclarationADefinition() == VarDecl::Definition &&
         variable->isExternallyVisible() && !variable->isTemplated();
}

void finish(const TranslationUnit& unit, const Outline& outline, const Annotation& annotation,
            std::vector<std::pair<const NamedDecl*, Need>> roots, Closure& closure) {
  for (const int item : closure.items)
    for (const Decl* declaration : outline.items()[static_cast<std::size_t>(item)].declarations)
      if (is_emitted(*declaration)) roots.emplace_back(llvm::cast<NamedDecl>(declaration), Need::emitted);
  closure.undefined = needed_definitions(std::move(roots));
  const SourceManager& sources = unit.sources();
  std::ranges::sort(closure.in_headers, [&](const Decl* a, const Decl* b) {
    return sources.isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
  });
  collect_macros(unit, outline, annotation, closure);
}

}  // namespace

Closure find_closure(const TranslationUnit& unit, const Outline& outline, const Attachment& attachment,
                     const Annotation& annotation, const std::vector<annotations::Expression>& expressions,
                     const std::vector<std::pair<const NamedDecl*, Need>>& beside) {
  const FunctionDecl& kernel = *attachment.function;
  Closure closure;
  Collector collector(unit, outline, closure);
  collector.reach_item(attachment.item);
  if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(&kernel)) collector.set_own_class(method->getParent());
  collector.reach(&kernel);
  for (const auto& [definition, need] : beside) collector.reach(definition);
  for (const annotations::Expression& expression : expressions)
    collector.reach_names(names_in(expression, kernel), kernel.getDeclContext());
  for (const MacroUse& use : annotation.macros)
    for (const Token& token : use.macro->tokens())
      if (token.isAnyIdentifier() || token.getIdentifierInfo())
        collector.reach_names({token.getIdentifierInfo()->getName().str()}, kernel.getDeclContext());
  collector.run();
  std::vector<std::pair<const NamedDecl*, Need>> roots = beside;
  roots.emplace_back(&kernel, Need::computed);
  finish(unit, outline, annotation, std::move(roots), closure);
  return closure;
}

Closure find_closure(const TranslationUnit& unit, const Outline& outline,
                     const std::vector<std::pair<const NamedDecl*, Need>>& definitions) {
  Closure closure;
  Collector collector(unit, outline, closure);
  for (const auto& [definition, need] : definitions) collector.reach(definition);
  collector.run();
  finish(unit, outline, Annotation(), definitions, closure);
  return closure;
}

}  // namespace hone::frontend
