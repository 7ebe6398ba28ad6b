#include "tool/frontend/find/template_instance.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <map>
#include <optional>

#include "annotations/nearest_word.h"
#include "tool/frontend/find/specialization_text.h"
#include "tool/frontend/parse/line_directive.h"

namespace hone::frontend {
namespace {

using namespace clang;
using annotations::Assignment;
using annotations::Instantiate;

constexpr const char* kNamespace = "hone_instance_";

unsigned line_of(const std::string& text, std::size_t at) {
  return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// `text` with another put in at `at`, behind which lines and columns are those of before.
std::string with_inserted(const std::string& text, std::size_t at, const std::string& inserted,
                          const std::string& file) {
  const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(0, at) + "\n" + inserted + "\n" + line_directive(line_of(text, at), file) +
         padding(text, line_start, at) + text.substr(at);
}

class Instantiator {
 public:
  Instantiator(const Attachment& attachment, const annotations::Directive& directive, const TranslationUnit& unit,
               bool in_header, Parser& parser)
      : pattern_(template_pattern(*attachment.function)),
        directive_(directive),
        unit_(unit),
        in_header_(in_header),
        parser_(parser),
        begin_(attachment.begin),
        end_(attachment.end) {}

  TemplateInstances run() {
    const std::string name = pattern_.function->getNameAsString();
    if (directive_.instantiations.empty()) {
      mistake(DiagnosticCode::instantiate_missing, directive_.location,
              "'" + name + "' is a template; say which instance is to be tuned with " + usage());
      return std::move(out_);
    }
    if (const std::string why = not_to_be_specialized(pattern_); !why.empty()) {
      mistake(DiagnosticCode::template_kind, directive_.instantiations.front().location,
              "'" + name + "' " + why + "; that is not supported yet");
      return std::move(out_);
    }
    text_ = template_text(pattern_, begin_, end_, unit_);
    for (const Instantiate& clause : directive_.instantiations) match(clause);
    if (out_.mistakes.empty()) probe();
    if (!out_.mistakes.empty()) out_.instances.clear();
    return std::move(out_);
  }

 private:
  void mistake(DiagnosticCode code, annotations::Location location, std::string message) {
    out_.mistakes.push_back({code, location, std::move(message)});
  }

  const std::vector<LevelParameter>& parameters() const { return pattern_.parameters; }

  static std::string name_of(const LevelParameter& parameter, std::size_t index) {
    const bool written = !parameter.name.empty() && !parameter.declared->isImplicit();
    return written ? parameter.name : "hone_parameter_" + std::to_string(index);
  }

  // "instantiate(T=…, N=…)"
  std::string usage() const {
    std::string list;
    for (const LevelParameter& parameter : parameters())
      if (!parameter.defaulted) list += (list.empty() ? "" : ", ") + parameter.name + "=…";
    return "instantiate(" + list + ")";
  }

  static const Assignment* argument(const Instantiate& clause, const LevelParameter& parameter) {
    const auto found = std::ranges::find_if(clause.arguments,
                                            [&](const Assignment& given) { return given.name.text == parameter.name; });
    return found == clause.arguments.end() ? nullptr : &*found;
  }

  // Every argument has its parameter, and every parameter an argument.
  void match(const Instantiate& clause) {
    std::vector<std::string> owned;
    for (const LevelParameter& parameter : parameters()) owned.push_back(parameter.name);
    const std::vector<std::string_view> known(owned.begin(), owned.end());
    for (const Assignment& given : clause.arguments) {
      if (!std::ranges::count(owned, given.name.text))
        mistake(DiagnosticCode::unknown_template_parameter, given.name.location,
                "instantiate names '" + given.name.text + "', which is no template parameter of '" +
                    pattern_.function->getNameAsString() + "'; " + annotations::suggestion(given.name.text, known));
      const auto same = [&](const Assignment& other) { return other.name.text == given.name.text; };
      if (&*std::ranges::find_if(clause.arguments, same) != &given)
        mistake(DiagnosticCode::template_argument, given.name.location,
                "'" + given.name.text + "' is given two values in one instantiate");
    }
    for (const LevelParameter& parameter : parameters())
      if (!argument(clause, parameter) && !parameter.defaulted)
        mistake(DiagnosticCode::template_argument_missing, clause.location,
                "this instantiate gives nothing for '" + parameter.name + "'; add " + parameter.name + "=…");
  }

  // The text behind `=` in the template's own list.
  std::string default_text(const NamedDecl& parameter) const {
    const SourceTokens& tokens = unit_.tokens();
    const SourceRange range = parameter.getSourceRange();
    const std::size_t last = unit_.offset(range.getEnd());
    std::size_t i = tokens.at_or_after(unit_.offset(range.getBegin()));
    while (i < tokens.size() && tokens[i].kind != tok::equal) ++i;
    const std::size_t end_token = tokens.at_or_after(last);
    if (i + 1 >= tokens.size() || end_token >= tokens.size()) return "";
    // One half of `>>` closes the template's own list.
    const std::size_t end = tokens.is(end_token, ">>") ? last + 1 : tokens[end_token].end;
    return unit_.text().substr(tokens[i].end, end - tokens[i].end);
  }

  // The argument stands where it stands in the pragma.
  std::string argument_text(const Assignment& given) const {
    const auto [line, column] = given.value.location;
    return "\n" + line_directive(line, parser_.main_file()) + std::string(column > 0 ? column - 1 : 0, ' ') +
           given.value.text + "\n";
  }

  // The template's declarator among names that stand for the arguments: a plain function of the instance's type. A
  // member's stands in a class that derives from its own, since its types may be named as the class knows them.
  std::string probe_of(const Instantiate& clause, std::size_t number) const {
    std::string out = "namespace " + std::string(kNamespace) + std::to_string(number) + " {\n";
    std::vector<std::string> names;
    for (std::size_t i = 0; i < parameters().size(); ++i) {
      const LevelParameter& parameter = parameters()[i];
      const Assignment* given = argument(clause, parameter);
      const std::string value = given                 ? argument_text(*given)
                                : parameter.defaulted ? default_text(*parameter.defaulted)
                                                      : std::string();
      names.push_back(name_of(parameter, i));
      out += probe_parameter(*parameter.declared, names.back(), value);
    }
    const std::string at = line_directive(line_of(unit_.text(), text_.declarator), parser_.main_file());
    const std::string declarator = at + plain_declarator(pattern_, text_, names, unit_) + ";\n";
    if (pattern_.member())
      out += at + "struct hone_member : " + class_of_pattern(pattern_) + " {\n" + declarator + "};\n";
    if (!pattern_.member()) out += declarator;
    return out + "}\n";
  }

  std::string probe_parameter(const NamedDecl& parameter, const std::string& name, const std::string& value) const {
    if (const auto* constant = llvm::dyn_cast<NonTypeTemplateParmDecl>(&parameter))
      return "constexpr " + constant->getType().getUnqualifiedType().getAsString(unit_.context().getPrintingPolicy()) +
             " " + name + "{" + value + "};\n";
    if (!llvm::isa<TemplateTemplateParmDecl>(parameter)) return "using " + name + " = " + value + ";\n";
    // Named as a template's argument, and by an alias that hands on what it gets.
    const std::string types = "template <class... hone_types> ";
    return types + "using " + name + " = " + value + "<hone_types...>;\ntemplate <template <class...> class> struct " +
           name + "_taken;\nusing " + name + "_template = " + name + "_taken<" + value + ">;\n";
  }

  // A definition outside of its namespace knows the names that are in there.
  std::string in_namespace(const std::string& probes) const {
    if (!pattern_.function->getQualifierLoc()) return probes;
    std::string open, close;
    for (const DeclContext* context = pattern_.function->getDeclContext(); context; context = context->getParent()) {
      const auto* space = llvm::dyn_cast<NamespaceDecl>(context);
      if (!space || space->Encloses(pattern_.function->getLexicalDeclContext())) continue;
      open = std::string(space->isInline() && !space->isAnonymousNamespace() ? "inline " : "") + "namespace " +
             space->getNameAsString() + " { " + open;
      close += "}";
    }
    return open + "\n" + probes + close + "\n";
  }

  void probe() {
    std::string probes;
    for (std::size_t i = 0; i < directive_.instantiations.size(); ++i)
      probes += probe_of(directive_.instantiations[i], i);
    auto parsed = parser_.parse(with_inserted(unit_.text(), end_, in_namespace(probes), parser_.main_file()));
    if (!parsed)
      return mistake(DiagnosticCode::clang_refuses, directive_.instantiations.front().location, parsed.error().what);
    for (const Message& error : (*parsed)->errors()) blame(error);
    if (!out_.mistakes.empty()) return;
    for (std::size_t i = 0; i < directive_.instantiations.size(); ++i) {
      const NamespaceDecl* space = find_probe((*parsed)->declarations(), kNamespace + std::to_string(i));
      if (!space)
        return mistake(DiagnosticCode::clang_refuses, directive_.instantiations[i].location,
                       "Clang does not see this instance");
      make(directive_.instantiations[i], *space);
    }
  }

  // One mistake an argument: the last one that stands in front of the error.
  void blame(const Message& error) {
    const Instantiate* clause = &directive_.instantiations.front();
    const Assignment* argument = nullptr;
    const auto in_front = [&](annotations::Location place) {
      return place.line < error.line || (place.line == error.line && place.column <= error.column);
    };
    if (error.line <= line_of(unit_.text(), text_.declarator))
      for (const Instantiate& one : directive_.instantiations)
        for (const Assignment& given : one.arguments)
          if (in_front(given.value.location)) clause = &one, argument = &given;
    const bool on_its_lines =
        argument && error.line <= argument->value.location.line +
                                      static_cast<unsigned>(std::ranges::count(argument->value.text, '\n'));
    const auto known = [&](annotations::Location place) {
      return std::ranges::any_of(out_.mistakes, [&](const Mistake& one) { return one.location.line == place.line; });
    };
    if (!on_its_lines) {
      if (out_.mistakes.empty())
        mistake(DiagnosticCode::template_argument, clause->location, "there is no such instance: " + error.text);
    } else if (const annotations::Location place{error.line, error.column}; !known(place)) {
      mistake(DiagnosticCode::template_argument, place,
              error.text + "; " + expected(argument->name.text) +
                  (is_unknown_name(error.text) ? ", declared in front of the template" : ""));
    }
  }

  // As Clang says of a name that is not there: a variant stands behind its template, so nothing later can be named.
  static bool is_unknown_name(const std::string& error) {
    return error.starts_with("no ") || error.starts_with("use of undeclared") || error.starts_with("unknown type");
  }

  std::string expected(const std::string& name) const {
    for (const LevelParameter& parameter : parameters()) {
      if (parameter.name != name) continue;
      const auto* value = llvm::dyn_cast<NonTypeTemplateParmDecl>(parameter.declared);
      if (!value)
        return name + "=… takes a " + (llvm::isa<TemplateTemplateParmDecl>(parameter.declared) ? "template" : "type");
      return name + "=… takes a constant of type '" +
             value->getType().getAsString(unit_.context().getPrintingPolicy()) + "'";
    }
    return "";
  }

  static const NamespaceDecl* find_probe(const std::vector<Decl*>& declarations, const std::string& name) {
    for (const Decl* declaration : declarations) {
      const auto* context = llvm::dyn_cast<DeclContext>(declaration);
      if (!context || !llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration)) continue;
      if (const auto* space = llvm::dyn_cast<NamespaceDecl>(declaration); space && space->getName() == name)
        return space;
      if (const NamespaceDecl* inner = find_probe({context->decls_begin(), context->decls_end()}, name)) return inner;
    }
    return nullptr;
  }

  static void read_probe(const DeclContext& space, std::map<std::string, const NamedDecl*>& meanings,
                         const FunctionDecl*& concrete) {
    for (const Decl* declaration : space.decls()) {
      if (declaration->isImplicit()) continue;
      const auto* named = llvm::dyn_cast<NamedDecl>(declaration);
      if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration))
        concrete = function;
      else if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration);
               record && record->getName() == "hone_member")
        read_probe(*record, meanings, concrete);
      else if (named)
        meanings[named->getNameAsString()] = named;
    }
  }

  // From Clang's view of the probe to the specialization's text.
  void make(const Instantiate& clause, const NamespaceDecl& space) {
    const FunctionDecl* concrete = nullptr;
    std::map<std::string, const NamedDecl*> meanings;
    read_probe(space, meanings, concrete);
    TemplateInstance instance;
    instance.clause = clause;
    for (std::size_t i = 0; i < parameters().size(); ++i) {
      const LevelParameter& parameter = parameters()[i];
      const std::string name = name_of(parameter, i);
      const bool is_template = llvm::isa<TemplateTemplateParmDecl>(parameter.declared);
      std::optional<TemplateParameter> meaning =
          meaning_of(*parameter.declared, meanings[is_template ? name + "_template" : name], space.getASTContext());
      if (!meaning)
        return mistake(DiagnosticCode::template_kind, clause.location,
                       "the value of '" + parameter.name +
                           "' cannot be written as an argument of a template; that is not supported "
                           "yet");
      instance.arguments += (i ? ", " : "<") + meaning->value;
      instance.parameters.push_back(*std::move(meaning));
    }
    instance.arguments += instance.arguments.ends_with('>') ? " >" : ">";
    if (!concrete) return mistake(DiagnosticCode::clang_refuses, clause.location, "Clang does not see this instance");
    instance.by_level = arguments_by_level(pattern_, instance.parameters);
    const std::string definition =
        specialization_text({pattern_, text_, *concrete, instance.parameters, instance.by_level, in_header_}, unit_);
    instance.line = line_of(unit_.text(), text_.declarator);
    instance.behind_template = end_;
    const std::string line = line_directive(instance.line, parser_.main_file());
    instance.text = with_inserted(unit_.text(), end_, line + definition, parser_.main_file());
    instance.begin = end_ + 1 + line.size();
    out_.instances.push_back(std::move(instance));
  }

  static std::optional<TemplateParameter> meaning_of(const NamedDecl& parameter, const NamedDecl* probe,
                                                     const ASTContext& context) {
    const std::string name = parameter.isImplicit() ? "" : parameter.getNameAsString();
    if (const auto* alias = llvm::dyn_cast_or_null<TypedefNameDecl>(probe)) {
      if (!llvm::isa<TemplateTemplateParmDecl>(parameter))
        return TemplateParameter{name, "", spelled(alias->getUnderlyingType(), context)};
      const auto* taken = alias->getUnderlyingType()->getAsCXXRecordDecl();
      const auto* special = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(taken);
      if (!special) return std::nullopt;
      return TemplateParameter{name, "", spelled(special->getTemplateArgs()[0], context), true};
    }
    const auto* variable = llvm::dyn_cast_or_null<VarDecl>(probe);
    const APValue* value = variable ? variable->evaluateValue() : nullptr;
    if (!value) return std::nullopt;
    const QualType type = variable->getType().getUnqualifiedType();
    const auto* declared = llvm::dyn_cast<NonTypeTemplateParmDecl>(&parameter);
    const bool deduced = declared && declared->getType()->isUndeducedType();
    if (value->isFloat()) return real_constant(name, type, value->getFloat(), context);
    if (!value->isInt() || !type->isIntegralOrEnumerationType()) return class_constant(name, type, *value, context);
    return TemplateParameter{name, spelled(type, context),
                             spelled(TemplateArgument(context, value->getInt(), type), context, deduced)};
  }

  // To the last bit, and of its own type.
  static std::optional<TemplateParameter> real_constant(const std::string& name, QualType type,
                                                        const llvm::APFloat& value, const ASTContext& context) {
    if (!value.isFinite()) return std::nullopt;
    if (!type->isSpecificBuiltinType(BuiltinType::Float) && !type->isSpecificBuiltinType(BuiltinType::Double))
      return std::nullopt;
    return TemplateParameter{name, spelled(type, context), spelled(value, type)};
  }

  // Clang writes numbers with a fraction in six digits, which may be another constant.
  static bool has_fraction(const APValue& value) {
    if (!value.isStruct()) return !value.isInt();
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      if (has_fraction(value.getStructField(i))) return true;
    return value.getStructNumBases() > 0;
  }

  static std::optional<TemplateParameter> class_constant(const std::string& name, QualType type, const APValue& value,
                                                         const ASTContext& context) {
    if (!value.isStruct() || has_fraction(value)) return std::nullopt;
    std::string text;
    llvm::raw_string_ostream out(text);
    value.printPretty(out, spelling_policy(context), type, &context);
    if (!text.starts_with("{")) return std::nullopt;
    return TemplateParameter{name, spelled(type, context), spelled(type, context) + text};
  }

  const TemplatePattern pattern_;
  const annotations::Directive& directive_;
  const TranslationUnit& unit_;
  const bool in_header_;
  Parser& parser_;
  const std::size_t begin_, end_;
  TemplateText text_;
  TemplateInstances out_;
};

}  // namespace

TemplateInstances instances_of(const Attachment& attachment, const annotations::Directive& directive,
                               const TranslationUnit& unit, bool in_header, Parser& parser) {
  return Instantiator(attachment, directive, unit, in_header, parser).run();
}

std::string not_to_be_replaced(const FunctionDecl& function, const TemplateInstance& instance, bool in_header) {
  const InstanceUse use = use_of_instance(template_pattern(function), instance.by_level);
  if (use.specialized)
    return "is specialized in this file, so the template says nothing about it; annotate another instance";
  if (use.instantiated && in_header)
    return "is a header's and explicitly instantiated, which is not supported yet; drop one of both";
  if (use.instantiated && function.isInlined())
    return "is inline and explicitly instantiated, which is not supported yet; drop one of both";
  return "";
}

}  // namespace hone::frontend
