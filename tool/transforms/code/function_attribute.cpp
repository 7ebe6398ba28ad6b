#include "tool/transforms/code/function_attribute.h"

#include <clang/AST/Attr.h>

#include <algorithm>

namespace hone::frontend {
namespace {

bool rounds(const ElementType& element, const Tolerance& tolerance) {
  if (tolerance.exact) return false;
  return std::any_of(element.fields.begin(), element.fields.end(),
                     [](const Field& field) { return field.type.kind == ScalarKind::floating; });
}

}  // namespace

bool heeds_attributes(const KernelContext& context) {
  // Where a function is always inlined, its caller's options hold.
  return !context.spec.cuda && !context.kernel->hasAttr<clang::AlwaysInlineAttr>();
}

bool has_attribute(const KernelContext& context, std::string_view start) {
  auto name = range_of(context.ast, clang::SourceRange(context.kernel->getLocation()));
  if (!name || name->begin < context.definition_begin) return true;  // not ours to write to
  std::size_t end = context.includes_size + (name->begin - context.definition_begin);
  std::string wanted = "__attribute__((" + std::string(start);
  std::size_t at = context.candidate.rfind(wanted, end);
  if (at == std::string::npos) return false;
  // One of a helper's has the helper's body behind it.
  std::string_view between = std::string_view(context.candidate).substr(at, end - at);
  return between.find('{') == std::string_view::npos && between.find(';') == std::string_view::npos;
}

// Behind the `template <>` of a specialization.
void add_attribute(Edits& edits, const KernelContext& context, const std::string& attribute) {
  auto start = range_of(context.ast, clang::SourceRange(context.kernel->getInnerLocStart()));
  if (start) start->end = start->begin;
  edits.replace(start, "__attribute__((" + attribute + ")) ");
}

bool may_round(const KernelSpec& spec) {
  if (spec.result && rounds(*spec.result, spec.result_tolerance)) return true;
  return std::any_of(spec.parameters.begin(), spec.parameters.end(), [](const Parameter& parameter) {
    return parameter.pointer && parameter.role != Role::in && rounds(parameter.element, parameter.tolerance);
  });
}

}  // namespace hone::frontend
