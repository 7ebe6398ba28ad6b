// Annotated functions that have no definition of their own at namespace level get one, in a copy of the main text:
// members that are defined in their class, lambdas in variables, functions that macros make. Everything else here sees
// plain functions. What the copy means to the compiler is what the file means, and each line keeps its number. Pure but
// for one preprocessing where macros are concerned.
#pragma once

#include <memory>
#include <vector>

#include "tool/base/result.h"
#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/frontend/parse/main_text.h"
#include "tool/frontend/parse/outline.h"
#include "tool/frontend/parse/parse.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

struct BroughtOut {
  std::vector<annotations::Location> annotations;  // of what is brought out
  std::vector<TextEdit> edits;                     // of the main text, in no order but for those at one place
  std::vector<Mistake> mistakes;                   // annotations above what cannot be a kernel
};

// `unit` and `outline` are of the main text.
//
//   class Filter {                                              static float sum(const float* x, int n);
//     #pragma hone kernel in(x[0:n])            becomes         };
//     static float sum(const float* x, int n) { … }             #pragma hone kernel in(x[0:n])
//   };                                                          inline float Filter::sum(const float* x, int n) { … }
BroughtOut bring_out_members(const TranslationUnit& unit, const Outline& outline);

//   auto sum = [](const float* x, int n) { … };   becomes       static inline float sum_lambda(const float* x, int n) {
//   … }
//                                                               auto sum = [](…) { return sum_lambda(x, n); };
// with the numbers and pointers that it captures as further parameters.
BroughtOut bring_out_lambdas(const TranslationUnit& unit, const Outline& outline);

// By its name: is it one that bring_out_lambdas() wrote?
bool is_lambdas_function(const clang::FunctionDecl& function);

// DEFINE_SUM(float, sum) becomes what it stands for.
BroughtOut bring_out_of_macros(const TranslationUnit& unit, const Outline& outline, Parser& parser);

// Is one of the annotated functions at namespace level a member that not everybody may call?
bool calls_what_is_private(const TranslationUnit& unit);

// All of it: `file`, `parser` and `unit` become those of the copy, where the harness can call the functions, private or
// not. Diagnostics: the mistakes, and what cannot be written out. Error: Clang cannot parse it.
Result<std::vector<Diagnostic>> bring_out(MainText& file, const Options& options, Parser& parser,
                                          std::unique_ptr<TranslationUnit>& unit);

// Of one annotation only `first` speaks: what could not be brought out is no function to the finder.
void put_in_front(const std::vector<Diagnostic>& first, std::vector<Diagnostic>& diagnostics);

}  // namespace hone::frontend
