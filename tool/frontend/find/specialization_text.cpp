#include "tool/frontend/find/specialization_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <map>
#include <set>

#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

using namespace clang;

struct Change {
  std::size_t end = 0;
  std::string text;
};

class Declarator {
 public:
  Declarator(const TemplatePattern& pattern, const TemplateText& text, const FunctionDecl* concrete,
             const TranslationUnit& unit)
      : pattern_(pattern),
        function_(*pattern.function),
        text_(text),
        concrete_(concrete),
        unit_(unit),
        type_(function_.getFunctionTypeLoc()) {}

  std::string specialized(const std::vector<std::string>& arguments) {
    drop_storage_class();
    write_launch_bounds();
    write_result();
    write_name(arguments);
    change(unit_.offset(type_.getLParenLoc()), unit_.offset(type_.getRParenLoc()) + 1, "(" + parameters() + ")");
    write_exceptions();
    drop_constraint();
    return written();
  }

  std::string plain(const std::vector<std::string>& names) {
    if (pattern_.member()) drop_specifiers();
    drop_constraint();
    const std::size_t name = unit_.offset(function_.getLocation());
    // An operator's name ends at its parameters.
    change(function_.getQualifierLoc() ? unit_.offset(function_.getQualifierLoc().getBeginLoc()) : name,
           unit_.offset(type_.getLParenLoc()), "hone_probe");
    for (std::size_t i = 0; i < names.size(); ++i)
      if (pattern_.parameters[i].declared->isImplicit()) name_invented(*pattern_.parameters[i].declared, names[i]);
    return written();
  }

 private:
  std::string written() const {
    std::string out;
    std::size_t at = text_.declarator;
    for (const auto& [begin, change] : changes_) {
      if (begin < at) continue;
      out.append(unit_.text(), at, begin - at).append(change.text);
      at = change.end;
    }
    return out.append(unit_.text(), at, text_.body - at);
  }

  void change(std::size_t begin, std::size_t end, std::string text) { changes_[begin] = {end, std::move(text)}; }

  std::size_t end_of_token(std::size_t offset) const {
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t index = tokens.at_or_after(offset);
    return index < tokens.size() ? tokens[index].end : offset;
  }

  // Each class template around it with the instance's arguments; its own behind its name.
  void write_name(const std::vector<std::string>& arguments) {
    for (NestedNameSpecifierLoc part = function_.getQualifierLoc(); part; part = part.getPrefix()) {
      const TypeLoc type = part.getTypeLoc();  // none of a namespace
      const auto list = type ? type.getAs<TemplateSpecializationTypeLoc>() : TemplateSpecializationTypeLoc();
      const std::size_t level = list ? level_of(*list.getTypePtr()) : pattern_.levels.size();
      if (level < pattern_.levels.size())
        change(unit_.offset(list.getLAngleLoc()), unit_.offset(list.getRAngleLoc()) + 1, arguments[level]);
    }
    const std::size_t name = unit_.offset(function_.getLocation());
    if (!pattern_.levels.back().record)
      change(name, unit_.offset(type_.getLParenLoc()), function_.getNameAsString() + arguments.back());
  }

  std::size_t level_of(const TemplateSpecializationType& type) const {
    const TemplateDecl* named = type.getTemplateName().getAsTemplateDecl();
    for (std::size_t level = 0; level < pattern_.levels.size(); ++level) {
      const CXXRecordDecl* record = pattern_.levels[level].record;
      if (record && named && record->getDescribedClassTemplate()->getCanonicalDecl() == named->getCanonicalDecl())
        return level;
    }
    return pattern_.levels.size();
  }

  // `std::integral auto` becomes the name.
  void name_invented(const NamedDecl& parameter, const std::string& name) {
    const auto* invented = llvm::dyn_cast<TemplateTypeParmDecl>(&parameter);
    if (!invented) return;
    std::size_t begin = unit_.offset(parameter.getLocation());
    const SourceTokens& tokens = unit_.tokens();
    std::size_t word = tokens.at_or_after(begin);
    while (word > 0 && !tokens.is(word, "auto")) --word;  // from the name that it has
    if (const TypeConstraint* constraint = invented->getTypeConstraint()) {
      const NestedNameSpecifierLoc qualifier = constraint->getNestedNameSpecifierLoc();
      begin = unit_.offset(qualifier ? qualifier.getBeginLoc() : constraint->getConceptNameLoc());
    } else if (word < tokens.size()) {
      begin = tokens[word].begin;
    }
    if (word < tokens.size()) change(begin, tokens[word].end, name);
  }

  // A member's word that no function in a derived class needs.
  void drop_specifiers() {
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t name = unit_.offset(function_.getLocation());
    for (std::size_t i = tokens.at_or_after(text_.declarator); i < tokens.size() && tokens[i].begin < name; ++i)
      if (tokens.is(i, "inline") || tokens.is(i, "constexpr")) change(tokens[i].begin, tokens[i].end, "");
  }

  // Behind the parameters only a template has one.
  void drop_constraint() {
    const Expr* constraint = function_.getTrailingRequiresClause();
    if (!constraint) return;
    const SourceTokens& tokens = unit_.tokens();
    std::size_t word = tokens.at_or_after(unit_.offset(constraint->getBeginLoc())) - 1;
    while (word > 0 && !tokens.is(word, "requires")) --word;
    change(tokens[word].begin, end_of_token(unit_.offset(constraint->getEndLoc())), "");
  }

  // A specialization has the template's, and may not repeat it.
  void drop_storage_class() {
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t name = unit_.offset(function_.getLocation());
    for (std::size_t i = tokens.at_or_after(text_.declarator); i < tokens.size() && tokens[i].begin < name; ++i)
      if (tokens.is(i, "static") || tokens.is(i, "extern"))
        change(tokens[i].begin, i + 1 < tokens.size() ? tokens[i + 1].begin : tokens[i].end, "");
  }

  // They may be computed from the template's parameters.
  void write_launch_bounds() {
    const auto* bounds = concrete_->getAttr<CUDALaunchBoundsAttr>();
    if (!bounds) return;
    std::string values;
    for (const Expr* value : {bounds->getMaxThreads(), bounds->getMinBlocks(), bounds->getMaxBlocks()}) {
      if (!value) continue;
      const auto number = value->getIntegerConstantExpr(unit_.context());
      if (!number) return;
      values += (values.empty() ? "" : ", ") + llvm::toString(*number, 10);
    }
    const SourceTokens& tokens = unit_.tokens();
    for (std::size_t i = tokens.at_or_after(text_.declarator); i < tokens.size() && tokens[i].begin < text_.body; ++i)
      if (tokens.is(i, "__launch_bounds__") && tokens.is(i + 1, "("))
        change(tokens[i + 1].begin, tokens[tokens.behind_brackets(i + 1) - 1].end, "(" + values + ")");
  }

  // Qualifiers in front of it stay as they are.
  void write_result() {
    if (!function_.getReturnType()->isDependentType() || function_.getReturnType()->isUndeducedType()) return;
    const SourceRange range = type_.getReturnLoc().getSourceRange();
    change(unit_.offset(range.getBegin()), end_of_token(unit_.offset(range.getEnd())),
           spelled(concrete_->getReturnType().getUnqualifiedType(), concrete_->getASTContext()));
  }

  void write_exceptions() {
    const SourceRange range = type_.getExceptionSpecRange();
    if (range.isInvalid() || function_.getExceptionSpecType() != EST_DependentNoexcept) return;
    const auto* type = concrete_->getType()->getAs<FunctionProtoType>();
    change(unit_.offset(range.getBegin()), end_of_token(unit_.offset(range.getEnd())),
           type && type->isNothrow() ? "noexcept" : "");
  }

  // Default arguments are the template's alone.
  std::string parameters() const {
    std::string list;
    for (unsigned i = 0; i < function_.getNumParams(); ++i) {
      const ParmVarDecl& written = *function_.getParamDecl(i);
      const bool as_written = !written.getType()->isDependentType() && !written.hasDefaultArg() &&
                              !written.getBeginLoc().isMacroID() && !written.getEndLoc().isMacroID();
      const std::size_t begin = unit_.offset(written.getBeginLoc());
      list += i == 0 ? "" : ", ";
      list += as_written ? unit_.text().substr(begin, end_of_token(unit_.offset(written.getEndLoc())) - begin)
                         : spelled(concrete_->getParamDecl(i)->getType(), concrete_->getASTContext(),
                                   written.getNameAsString());
    }
    return list;
  }

  const TemplatePattern& pattern_;
  const FunctionDecl& function_;
  const TemplateText& text_;
  const FunctionDecl* concrete_;  // of another parse
  const TranslationUnit& unit_;
  const FunctionTypeLoc type_;
  std::map<std::size_t, Change> changes_;
};

// What the body does not name may be named by a macro in it.
std::string declarations(const std::vector<TemplateParameter>& parameters, const TemplateText& text,
                         const TranslationUnit& unit) {
  const SourceTokens& tokens = unit.tokens();
  std::set<std::string> named;
  for (std::size_t i = tokens.at_or_after(text.body); i < tokens.size() && tokens[i].begin < text.end; ++i)
    named.insert(tokens.spelling(i));
  std::string out;
  for (const TemplateParameter& parameter : parameters)
    if (!parameter.name.empty() && !parameter.is_template)
      out += " " + declared(parameter, !named.contains(parameter.name));
  return out;
}

// The body, where templates that stand for parameters are written out: no function can declare a name for them.
std::string body_text(const std::vector<TemplateParameter>& parameters, std::size_t begin, const TemplateText& text,
                      const TranslationUnit& unit) {
  const SourceTokens& tokens = unit.tokens();
  std::string out;
  std::size_t at = begin;
  for (std::size_t i = tokens.at_or_after(begin); i < tokens.size() && tokens[i].begin < text.end; ++i)
    for (const TemplateParameter& parameter : parameters)
      if (parameter.is_template && tokens.is(i, parameter.name.c_str()) &&
          !(i > 0 && (tokens.is(i - 1, ".") || tokens.is(i - 1, "->") || tokens.is(i - 1, "::")))) {
        out.append(unit.text(), at, tokens[i].begin - at).append(parameter.value);
        at = tokens[i].end;
      }
  return out.append(unit.text(), at, text.end - at);
}

std::string heads(const TemplatePattern& pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.levels.size(); ++i) text += "template <> ";
  return text;
}

bool is_one_of_many(const Instance& instance) {
  const FunctionDecl& function = *instance.pattern.function;
  return instance.in_header && !function.isInlined() &&
         (instance.pattern.member() || function.getStorageClass() != SC_Static);
}

std::string flaw_of(const NamedDecl& parameter) {
  if (parameter.isParameterPack()) return "has a parameter pack";
  const auto* value = llvm::dyn_cast<NonTypeTemplateParmDecl>(&parameter);
  if (value && !value->getType()->isDependentType() &&
      (value->getType()->isAnyPointerType() || value->getType()->isReferenceType() ||
       value->getType()->isMemberPointerType()))
    return "has the template parameter '" + value->getNameAsString() + "', which is a pointer or a reference";
  return "";
}

}  // namespace

std::string not_to_be_specialized(const TemplatePattern& pattern) {
  const FunctionDecl& function = *pattern.function;
  // gcc 12 instantiates a function template that has one where it is specialized, and crashes.
  if (function.getTrailingRequiresClause() && !pattern.levels.back().record)
    return "has a requires clause behind its parameters; write it in front of the function, behind template <…>";
  if (!function.getFunctionTypeLoc()) return "has no parameter list of its own";
  for (const DeclContext* context = function.getDeclContext(); context->isRecord(); context = context->getParent()) {
    if (llvm::isa<ClassTemplatePartialSpecializationDecl>(context)) return "is in a partial specialization";
    const auto* record = llvm::cast<CXXRecordDecl>(context);
    if (record->isUnion() || record->isEffectivelyFinal()) return "is in a union or a final class";
  }
  for (const LevelParameter& parameter : pattern.parameters) {
    if (std::string flaw = flaw_of(*parameter.declared); !flaw.empty()) return flaw;
    if (parameter.declared->isImplicit() && parameter.name.empty())
      return "has a parameter of type 'auto' without a name; name it";
  }
  return "";
}

TemplateText template_text(const TemplatePattern& pattern, std::size_t begin, std::size_t end,
                           const TranslationUnit& unit) {
  const SourceTokens& tokens = unit.tokens();
  std::size_t declarator = begin;
  for (const TemplateLevel& level : pattern.levels) {
    const TemplateParameterList& parameters = *level.parameters;
    if (parameters.getRAngleLoc().isInvalid()) continue;  // of `auto x` alone
    const Expr* constraint = parameters.getRequiresClause();
    const std::size_t last = unit.offset(constraint ? constraint->getEndLoc() : parameters.getRAngleLoc());
    declarator = std::max(declarator, tokens[tokens.code_at_or_after(last + 1)].begin);
  }
  return {declarator, unit.offset(pattern.function->getBody()->getBeginLoc()), end};
}

std::string plain_declarator(const TemplatePattern& pattern, const TemplateText& text,
                             const std::vector<std::string>& names, const TranslationUnit& unit) {
  return Declarator(pattern, text, nullptr, unit).plain(names);
}

std::string specialization_text(const Instance& instance, const TranslationUnit& unit) {
  const TemplateText& text = instance.text;
  const bool is_try = !llvm::isa<CompoundStmt>(instance.pattern.function->getBody());
  return heads(instance.pattern) + (is_one_of_many(instance) ? "inline " : "") +
         Declarator(instance.pattern, text, &instance.concrete, unit).specialized(instance.arguments) + "{" +
         declarations(instance.parameters, text, unit) + (is_try ? " " : "") +
         body_text(instance.parameters, is_try ? text.body : text.body + 1, text, unit) + (is_try ? " }" : "");
}

}  // namespace hone::frontend
