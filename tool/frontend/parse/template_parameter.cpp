#include "tool/frontend/parse/template_parameter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>

#include <vector>

namespace hone::frontend {

using namespace clang;

std::string declared(const TemplateParameter& parameter, bool perhaps_unused) {
  if (parameter.is_template) return "";
  const std::string attribute = perhaps_unused ? "[[maybe_unused]] " : "";
  if (parameter.type.empty()) return "using " + parameter.name + " " + attribute + "= " + parameter.value + ";";
  return attribute + "constexpr " + parameter.type + " " + parameter.name + " = " + parameter.value + ";";
}

PrintingPolicy spelling_policy(const ASTContext& context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.FullyQualifiedName = true;
  policy.PrintCanonicalTypes = true;
  policy.SuppressTagKeyword = context.getLangOpts().CPlusPlus;
  policy.Bool = context.getLangOpts().Bool;  // in C it may be a macro, whose header a unit need not have
  return policy;
}

std::string spelled(const QualType& type, const ASTContext& context, const std::string& name) {
  std::string text = name;
  type.getAsStringInternal(text, spelling_policy(context));
  return text;
}

std::string spelled(const llvm::APFloat& value, const QualType& type) {
  constexpr unsigned kMost = 64;  // digits of a double
  char digits[kMost];
  value.convertToHexString(digits, 0, false, llvm::APFloat::rmNearestTiesToEven);
  return std::string(digits) + (type->isSpecificBuiltinType(BuiltinType::Float) ? "f" : "");
}

std::string spelled(const TemplateArgument& argument, const ASTContext& context, bool with_type) {
  if (argument.getKind() == TemplateArgument::StructuralValue && argument.getAsStructuralValue().isFloat())
    return spelled(argument.getAsStructuralValue().getFloat(), argument.getStructuralValueType());
  std::string text;
  llvm::raw_string_ostream out(text);
  argument.print(spelling_policy(context), out, with_type);
  return text;
}

namespace {

std::string in_brackets(llvm::ArrayRef<TemplateArgument> arguments, const ASTContext& context) {
  std::string text;
  for (const TemplateArgument& argument : arguments) text += (text.empty() ? "<" : ", ") + spelled(argument, context);
  return text + (text.ends_with('>') ? " >" : ">");
}

}  // namespace

std::string template_arguments(const FunctionDecl& function) {
  const TemplateArgumentList* list = function.getTemplateSpecializationArgs();
  return list ? in_brackets(list->asArray(), function.getASTContext()) : "";
}

std::string all_template_arguments(const FunctionDecl& function) {
  std::vector<TemplateArgument> all;
  for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
    if (const auto* record = llvm::dyn_cast<ClassTemplateSpecializationDecl>(scope)) {
      const auto own = record->getTemplateArgs().asArray();
      all.insert(all.begin(), own.begin(), own.end());
    }
  if (const TemplateArgumentList* list = function.getTemplateSpecializationArgs())
    all.insert(all.end(), list->asArray().begin(), list->asArray().end());
  return all.empty() ? "" : in_brackets(all, function.getASTContext());
}

}  // namespace hone::frontend
