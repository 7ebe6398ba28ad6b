// The text of a function template's explicit specialization, made from the template's own text: what the user wrote
// stays, but for the types and values that depend on the template's parameters, which are written out. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/frontend/find/template_pattern.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

// Where the parts of a template's definition stand in the main file.
struct TemplateText {
  std::size_t declarator = 0;  // behind each `template <…> requires …`
  std::size_t body = 0;        // at its brace, or at `try`
  std::size_t end = 0;         // behind its last closing brace
};

// What an instance is made of.
struct Instance {
  const TemplatePattern& pattern;
  const TemplateText& text;
  const clang::FunctionDecl& concrete;               // a declaration of the instance's type, of another parse
  const std::vector<TemplateParameter>& parameters;  // what they stand for
  const std::vector<std::string>& arguments;         // by level: "<float, 4>"
  bool in_header = false;                            // several files may have it
};

// "" or why no specialization of it can be written.
std::string not_to_be_specialized(const TemplatePattern& pattern);

// `begin`: of the definition.
TemplateText template_text(const TemplatePattern& pattern, std::size_t begin, std::size_t end,
                           const TranslationUnit& unit);

// The declarator as that of a plain function, where `names` stand for the template's parameters.
std::string plain_declarator(const TemplatePattern& pattern, const TemplateText& text,
                             const std::vector<std::string>& names, const TranslationUnit& unit);

std::string specialization_text(const Instance& instance, const TranslationUnit& unit);

}  // namespace hone::frontend
