#include "tool/frontend/find/template_pattern.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "tool/frontend/parse/naming.h"

namespace hone::frontend {
namespace {

using namespace clang;

bool writes_default(const NamedDecl& parameter) {
  const auto own = [](const auto* one) {
    return one && one->hasDefaultArgument() && !one->defaultArgumentWasInherited();
  };
  return own(llvm::dyn_cast<TemplateTypeParmDecl>(&parameter)) ||
         own(llvm::dyn_cast<NonTypeTemplateParmDecl>(&parameter)) ||
         own(llvm::dyn_cast<TemplateTemplateParmDecl>(&parameter));
}

const RedeclarableTemplateDecl* template_of(const TemplateLevel& level, const FunctionDecl& function) {
  if (level.record) return level.record->getDescribedClassTemplate();
  return function.getDescribedFunctionTemplate();
}

const NamedDecl* default_of(const RedeclarableTemplateDecl& pattern, unsigned index) {
  for (const RedeclarableTemplateDecl* one : pattern.redecls()) {
    const TemplateParameterList& list = *one->getTemplateParameters();
    if (index < list.size() && writes_default(*list.getParam(index))) return list.getParam(index);
  }
  return nullptr;
}

// `auto x` makes a parameter without a name that can be written.
std::string name_of(const NamedDecl& parameter, const FunctionDecl& function) {
  if (!parameter.isImplicit()) return parameter.getNameAsString();
  const auto* invented = llvm::dyn_cast<TemplateTypeParmDecl>(&parameter);
  for (const ParmVarDecl* one : function.parameters()) {
    QualType type = one->getType().getNonReferenceType();
    while (!type->getPointeeType().isNull()) type = type->getPointeeType();
    const auto* used = type->getAs<TemplateTypeParmType>();
    if (invented && used && used->getDepth() == invented->getDepth() && used->getIndex() == invented->getIndex())
      return one->getNameAsString();
  }
  return "";
}

std::string spelled_list(const ArrayRef<TemplateArgument> arguments, const ASTContext& context) {
  std::string text;
  for (const TemplateArgument& argument : arguments) text += (text.empty() ? "<" : ", ") + spelled(argument, context);
  return text + (text.ends_with('>') ? " >" : ">");
}

// The instances of one class among those of the class around it.
const CXXRecordDecl* instance_in(const CXXRecordDecl* around, const CXXRecordDecl& record, const std::string* arguments,
                                 bool& explicitly) {
  const ClassTemplateDecl* pattern = record.getDescribedClassTemplate();
  if (!pattern) {
    if (!around) return &record;
    for (const Decl* one : around->decls())
      if (const auto* inner = llvm::dyn_cast<CXXRecordDecl>(one);
          inner && inner->getDeclName() == record.getDeclName() && !inner->isInjectedClassName())
        return inner;
    return nullptr;
  }
  if (around)
    for (const Decl* one : around->decls())
      if (const auto* inner = llvm::dyn_cast<ClassTemplateDecl>(one);
          inner && inner->getDeclName() == record.getDeclName())
        pattern = inner;
  for (const ClassTemplateSpecializationDecl* one : pattern->specializations())
    if (arguments && spelled_list(one->getTemplateArgs().asArray(), record.getASTContext()) == *arguments) {
      explicitly = explicitly || one->isExplicitSpecialization();
      return one;
    }
  return nullptr;
}

void add(InstanceUse& use, TemplateSpecializationKind kind) {
  use.specialized = use.specialized || kind == TSK_ExplicitSpecialization;
  use.instantiated = use.instantiated || kind == TSK_ExplicitInstantiationDefinition;
}

}  // namespace

std::vector<const CXXRecordDecl*> classes_around(const FunctionDecl& function) {
  std::vector<const CXXRecordDecl*> classes;
  for (const DeclContext* context = function.getDeclContext(); context->isRecord(); context = context->getParent())
    classes.insert(classes.begin(), llvm::cast<CXXRecordDecl>(context));
  return classes;
}

bool TemplatePattern::member() const {
  return llvm::isa<CXXMethodDecl>(function);
}

TemplatePattern template_pattern(const FunctionDecl& function) {
  TemplatePattern pattern{&function, {}, {}};
  unsigned written = 0;
  for (const CXXRecordDecl* record : classes_around(function)) {
    const ClassTemplateDecl* around = record->getDescribedClassTemplate();
    if (!around) continue;
    const bool outside = written < function.getNumTemplateParameterLists();
    pattern.levels.push_back(
        {outside ? function.getTemplateParameterList(written) : around->getTemplateParameters(), record});
    ++written;
  }
  if (const FunctionTemplateDecl* own = function.getDescribedFunctionTemplate())
    pattern.levels.push_back({own->getTemplateParameters(), nullptr});
  for (std::size_t level = 0; level < pattern.levels.size(); ++level) {
    const RedeclarableTemplateDecl* declared = template_of(pattern.levels[level], function);
    const TemplateParameterList& list = *pattern.levels[level].parameters;
    for (unsigned i = 0; i < list.size(); ++i)
      pattern.parameters.push_back({list.getParam(i), declared ? default_of(*declared, i) : nullptr, level,
                                    name_of(*list.getParam(i), function)});
  }
  return pattern;
}

std::vector<std::string> arguments_by_level(const TemplatePattern& pattern,
                                            const std::vector<TemplateParameter>& meanings) {
  std::vector<std::string> texts(pattern.levels.size());
  for (std::size_t i = 0; i < meanings.size(); ++i) {
    std::string& text = texts[pattern.parameters[i].level];
    text += (text.empty() ? "<" : ", ") + meanings[i].value;
  }
  for (std::string& text : texts) text += text.empty() ? "<>" : text.ends_with('>') ? " >" : ">";
  return texts;
}

std::string class_of_pattern(const TemplatePattern& pattern) {
  std::string text = pattern.function->isInAnonymousNamespace() ? "" : enclosing_qualifier(*pattern.function);
  std::string parts;
  for (const CXXRecordDecl* record : classes_around(*pattern.function)) {
    parts += (parts.empty() ? "" : "::") + record->getNameAsString();
    for (std::size_t level = 0; level < pattern.levels.size(); ++level) {
      if (pattern.levels[level].record != record) continue;
      std::string list;
      for (const LevelParameter& parameter : pattern.parameters)
        if (parameter.level == level) list += (list.empty() ? "" : ", ") + parameter.name;
      parts += "<" + list + ">";
    }
  }
  return text + parts;
}

InstanceUse use_of_instance(const TemplatePattern& pattern, const std::vector<std::string>& arguments) {
  InstanceUse use;
  const ASTContext& context = pattern.function->getASTContext();
  const FunctionTemplateDecl* own = pattern.function->getDescribedFunctionTemplate();
  const CXXRecordDecl* around = nullptr;
  for (const CXXRecordDecl* record : classes_around(*pattern.function)) {
    const std::string* given = nullptr;
    for (std::size_t level = 0; level < pattern.levels.size(); ++level)
      if (pattern.levels[level].record == record) given = &arguments[level];
    around = instance_in(around, *record, given, use.specialized);
    if (!around) return use;
  }
  if (own && pattern.levels.size() == 1) {
    for (const FunctionDecl* one : own->specializations())
      if (const TemplateArgumentList* list = one->getTemplateSpecializationArgs();
          list && spelled_list(list->asArray(), context) == arguments.back())
        add(use, one->getTemplateSpecializationKind());
  } else if (around) {
    for (const CXXMethodDecl* one : around->methods())
      if (const FunctionDecl* from = one->getInstantiatedFromMemberFunction();
          from && from->getCanonicalDecl() == pattern.function->getCanonicalDecl())
        add(use, one->getTemplateSpecializationKind());
  }
  return use;
}

}  // namespace hone::frontend
