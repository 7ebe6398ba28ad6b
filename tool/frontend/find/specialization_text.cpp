#include "tool/frontend/find/specialization_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/TypeLoc.h>

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
  Declarator(const FunctionTemplateDecl& pattern, const TemplateText& text, const FunctionDecl& concrete,
             const TranslationUnit& unit)
      : function_(*pattern.getTemplatedDecl()),
        text_(text),
        concrete_(concrete),
        unit_(unit),
        type_(function_.getFunctionTypeLoc()) {}

  std::string run(const std::string& arguments) {
    drop_storage_class();
    write_launch_bounds();
    write_result();
    const std::size_t name = unit_.offset(function_.getLocation());
    change(name, end_of_token(name), function_.getNameAsString() + arguments);
    change(unit_.offset(type_.getLParenLoc()), unit_.offset(type_.getRParenLoc()) + 1, "(" + parameters() + ")");
    write_exceptions();
    std::string out;
    std::size_t at = text_.declarator;
    for (const auto& [begin, change] : changes_) {
      if (begin < at) continue;
      out.append(unit_.text(), at, begin - at).append(change.text);
      at = change.end;
    }
    return out.append(unit_.text(), at, text_.body - at);
  }

 private:
  void change(std::size_t begin, std::size_t end, std::string text) { changes_[begin] = {end, std::move(text)}; }

  std::size_t end_of_token(std::size_t offset) const {
    const SourceTokens& tokens = unit_.tokens();
    const std::size_t index = tokens.at_or_after(offset);
    return index < tokens.size() ? tokens[index].end : offset;
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
    const auto* bounds = concrete_.getAttr<CUDALaunchBoundsAttr>();
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
           spelled(concrete_.getReturnType().getUnqualifiedType(), concrete_.getASTContext()));
  }

  void write_exceptions() {
    const SourceRange range = type_.getExceptionSpecRange();
    if (range.isInvalid() || function_.getExceptionSpecType() != EST_DependentNoexcept) return;
    const auto* type = concrete_.getType()->getAs<FunctionProtoType>();
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
      list += as_written
                  ? unit_.text().substr(begin, end_of_token(unit_.offset(written.getEndLoc())) - begin)
                  : spelled(concrete_.getParamDecl(i)->getType(), concrete_.getASTContext(), written.getNameAsString());
    }
    return list;
  }

  const FunctionDecl& function_;
  const TemplateText& text_;
  const FunctionDecl& concrete_;  // of another parse
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
    if (!parameter.name.empty()) out += " " + declared(parameter, !named.contains(parameter.name));
  return out;
}

}  // namespace

std::string not_to_be_specialized(const FunctionTemplateDecl& pattern) {
  const FunctionDecl& function = *pattern.getTemplatedDecl();
  if (function.getQualifier()) return "is defined outside of its namespace; define it in there";
  if (function.getTrailingRequiresClause())
    return "has a requires clause behind its parameters; write it in front of the function, behind template <…>";
  if (!llvm::isa<CompoundStmt>(function.getBody())) return "has a try block for a body";
  if (!function.getFunctionTypeLoc()) return "has no parameter list of its own";
  for (const NamedDecl* parameter : *pattern.getTemplateParameters()) {
    if (parameter->isImplicit()) return "has a parameter of type 'auto'; write template <class T>";
    if (parameter->isParameterPack()) return "has a parameter pack";
    if (llvm::isa<TemplateTemplateParmDecl>(parameter)) return "has a template for a template parameter";
    const auto* value = llvm::dyn_cast<NonTypeTemplateParmDecl>(parameter);
    if (value && !value->getType()->isDependentType() && !value->getType()->isIntegralOrEnumerationType())
      return "has the template parameter '" + value->getNameAsString() + "', which is no integer, bool or enumeration";
  }
  return "";
}

TemplateText template_text(const FunctionTemplateDecl& pattern, std::size_t end, const TranslationUnit& unit) {
  const TemplateParameterList& parameters = *pattern.getTemplateParameters();
  const Expr* constraint = parameters.getRequiresClause();
  const std::size_t last = unit.offset(constraint ? constraint->getEndLoc() : parameters.getRAngleLoc());
  const SourceTokens& tokens = unit.tokens();
  const std::size_t declarator = tokens.code_at_or_after(last + 1);
  return {tokens[declarator].begin, unit.offset(pattern.getTemplatedDecl()->getBody()->getBeginLoc()), end};
}

std::string specialization_text(const FunctionTemplateDecl& pattern, const TemplateText& text,
                                const FunctionDecl& concrete, const std::string& arguments, bool in_header,
                                const std::vector<TemplateParameter>& parameters, const TranslationUnit& unit) {
  const FunctionDecl& function = *pattern.getTemplatedDecl();
  const bool one_of_many = in_header && !function.isInlined() && function.getStorageClass() != SC_Static;
  return "template <> " + std::string(one_of_many ? "inline " : "") +
         Declarator(pattern, text, concrete, unit).run(arguments) + "{" + declarations(parameters, text, unit) +
         unit.text().substr(text.body + 1, text.end - text.body - 1);
}

}  // namespace hone::frontend
