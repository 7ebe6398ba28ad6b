// An annotated function template's instance as a function of its own: the explicit specialization that says the same.
//
// `template <class T, int N> void scale(const T* x, T* y, int n) { … }` with instantiate(T=float, N=4) becomes
// `template <> void scale<float, 4>(const float *x, float *y, int n) { using T = float; constexpr int N = 4; … }` in a
// copy of the main file, directly behind the template. Everything after that sees an ordinary function. The arguments
// are evaluated and the types worked out by Clang, in one parse for all instances of an annotation; mistakes in the
// clause come back at their place in it. Nothing of the user's file is changed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/description.h"
#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

struct TemplateInstance {
  annotations::Instantiate clause;
  std::string arguments;                      // "<float, 4>"
  std::vector<std::string> by_level;          // the same for each `template <…>`
  std::string text;                           // of the main file, with the specialization in it
  std::size_t behind_template = 0;            // in front of which the text is the file's own, to the byte
  std::size_t begin = 0;                      // of the specialization in `text`
  unsigned line = 0;                          // of the template's declarator in the file, which the specialization has
  std::vector<TemplateParameter> parameters;  // what the template's parameters stand for
};

struct TemplateInstances {
  std::vector<TemplateInstance> instances;  // in the order of the clauses
  std::vector<Mistake> mistakes;            // the user's; then there are no instances
};

// `attachment` is a template's. `in_header`: several files may have the instances, so they are inline.
TemplateInstances instances_of(const Attachment& attachment, const annotations::Directive& directive,
                               const TranslationUnit& unit, bool in_header, Parser& parser);

// "" or why no specialization can take its place: an inline one that nobody in the file calls would leave other files
// without the function. "is specialized in this file, …".
std::string not_to_be_replaced(const clang::FunctionDecl& function, const TemplateInstance& instance, bool in_header);

}  // namespace hone::frontend
