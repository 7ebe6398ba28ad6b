// The text of a function template's explicit specialization, made from the template's own text: what the user wrote
// stays, but for the types and values that depend on the template's parameters, which are written out. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class FunctionDecl;
class FunctionTemplateDecl;
}  // namespace clang

namespace hone::frontend {

// Where the parts of a template's definition stand in the main file.
struct TemplateText {
  std::size_t declarator = 0;  // behind `template <…> requires …`
  std::size_t body = 0;        // at its brace
  std::size_t end = 0;         // behind its closing brace
};

// "" or why no specialization of it can be written.
std::string not_to_be_specialized(const clang::FunctionTemplateDecl& pattern);

TemplateText template_text(const clang::FunctionTemplateDecl& pattern, std::size_t end, const TranslationUnit& unit);

// `concrete`: a declaration of the instance's type. `arguments`: "<float, 4>". `in_header`: several files may have it.
std::string specialization_text(const clang::FunctionTemplateDecl& pattern, const TemplateText& text,
                                const clang::FunctionDecl& concrete, const std::string& arguments, bool in_header,
                                const std::vector<TemplateParameter>& parameters, const TranslationUnit& unit);

}  // namespace hone::frontend
