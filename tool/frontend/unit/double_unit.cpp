#include "tool/frontend/unit/double_unit.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <array>

#include "tool/frontend/arguments/element_layout.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/unit/float_to_double.h"
#include "tool/frontend/unit/harness.h"

namespace hone::frontend {
namespace {

using namespace clang;

// A unit as one text, and where its parts stand in it.
class JoinedUnit {
 public:
  explicit JoinedUnit(const KernelSpec& spec) {
    const KernelUnit& unit = spec.unit;
    const std::string line = line_directive(unit.definition_line, spec.file);
    for (const std::string& part :
         {unit.prologue, unit.opening, line, unit.definition, std::string("\n"), unit.closing, unit.harness}) {
      begins_[count_++] = text_.size();
      text_ += part;
    }
    begins_[count_] = text_.size();
  }

  const std::string& text() const { return text_; }
  std::size_t definition_begin() const { return begins_[3]; }
  std::size_t definition_end() const { return begins_[4]; }
  std::size_t harness_begin() const { return begins_[6]; }

  KernelUnit edited(const WideningEdits& edits, unsigned definition_line) const {
    return {part(0, edits), part(1, edits), part(3, edits), "", part(5, edits), part(6, edits), definition_line};
  }

 private:
  std::string part(std::size_t index, const WideningEdits& edits) const {
    std::string text;
    std::size_t at = begins_[index];
    for (auto edit = edits.lower_bound(at); edit != edits.end() && edit->first < begins_[index + 1]; ++edit) {
      text.append(text_, at, edit->first - at).append(edit->second.text);
      at = edit->first + edit->second.length;
    }
    return text.append(text_, at, begins_[index + 1] - at);
  }

  std::string text_;
  std::array<std::size_t, 8> begins_{};
  std::size_t count_ = 0;
};

class DefinitionFinder final : public SyntaxVisitor {
 public:
  DefinitionFinder(const SourceManager& sources, const JoinedUnit& unit) : sources_(sources), unit_(unit) {}

  const FunctionDecl* found = nullptr;

  bool VisitFunctionDecl(FunctionDecl* function) {
    const auto [file, offset] = sources_.getDecomposedExpansionLoc(function->getLocation());
    const bool inside =
        file == sources_.getMainFileID() && offset >= unit_.definition_begin() && offset < unit_.definition_end();
    if (inside && !found && function->isThisDeclarationADefinition()) found = function;
    return true;
  }

 private:
  const SourceManager& sources_;
  const JoinedUnit& unit_;
};

Result<std::unique_ptr<Parsed>> parsed_without_errors(Parser& parser, const std::string& text) {
  HONE_TRY(auto parsed, parser.parse(text));
  if (parsed->errors().empty()) return parsed;
  const Message& error = parsed->errors().front();
  return failure(error.text, error.file + ":" + std::to_string(error.line));
}

QualType element_of(QualType type, const ASTContext& context) {
  type = type.getCanonicalType();
  if (!type->isPointerType()) return type.getUnqualifiedType();
  type = type->getPointeeType();
  while (const auto* array = context.getAsArrayType(type)) type = array->getElementType();
  return type.getUnqualifiedType();
}

// The signature and the layouts of the widened definition. False: one of them cannot be described.
bool describe_again(const FunctionDecl& function, KernelSpec& spec) {
  const ASTContext& context = function.getASTContext();
  if (function.getNumParams() != spec.parameters.size()) return false;
  const auto layout = [&](QualType type, ElementType& element) {
    auto described = element_layout(element_of(type, context), context);
    if (auto* whole = std::get_if<ElementType>(&described)) element = std::move(*whole);
    return std::holds_alternative<ElementType>(described);
  };
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const QualType type = function.getParamDecl(i)->getType().getCanonicalType().getUnqualifiedType();
    spec.parameters[i].type = type.getAsString(context.getPrintingPolicy());
    if (!layout(type, spec.parameters[i].element)) return false;
  }
  if (spec.result && !layout(function.getReturnType(), *spec.result)) return false;
  spec.mangled_name = mangled_name(function);
  spec.signature = signature(function);
  return true;
}

Result<KernelSpec> widen(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  HONE_TRY(Parser parser, Parser::create(command, options));

  // 1. The original: what would it mean in double?
  const JoinedUnit original(spec);
  HONE_TRY(auto parsed, parsed_without_errors(parser, original.text()));
  if (std::string why = obstacle_to_widening(*parsed, original.harness_begin()); !why.empty()) return failure(why);

  // 2. Its text in double.
  KernelSpec wide = spec;
  const WideningEdits edits = widening_edits(*parsed);
  if (edits.empty() || edits.begin()->first >= original.harness_begin())
    return failure("nothing in it is of type float", spec.file + ":" + std::to_string(spec.line));
  wide.unit = original.edited(edits, spec.unit.definition_line);
  wide.unit.harness = with_narrow_scalars(std::move(wide.unit.harness), spec);
  wide.key.clear();
  wide.key_dump.clear();
  parsed.reset();

  // 3. Is it all in double, and what is its signature now?
  const JoinedUnit joined(wide);
  HONE_TRY(auto again, parsed_without_errors(parser, joined.text()));
  if (std::string why = left_in_float(*again, joined.harness_begin()); !why.empty()) return failure(why);
  DefinitionFinder finder(again->sources(), joined);
  for (Decl* declaration : again->declarations()) finder.TraverseDecl(declaration);
  if (!finder.found || !describe_again(*finder.found, wide))
    return failure("the widened kernel cannot be described", spec.file + ":" + std::to_string(spec.line));
  return wide;
}

}  // namespace

Widening widened(const KernelSpec& spec, const CompileCommand& command, const Options& options) {
  if (!spec.called.empty()) return {std::nullopt, "it calls functions of other files"};
  if (spec.built) return {std::nullopt, "its arguments are made of several parts"};
  auto wide = widen(spec, command, options);
  if (!wide) return {std::nullopt, wide.error().message()};
  return {std::move(*wide), ""};
}

}  // namespace hone::frontend
