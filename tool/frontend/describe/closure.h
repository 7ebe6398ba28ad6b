// Everything of the user's that a kernel reaches: types, constants, helpers, macros; and what it takes from system
// headers.
//
// Follows references through bodies, instantiations of the user's templates, overload sets, aliases and
// specializations, down to declarations at namespace level (whole Items in the main file). Names in clause expressions
// are looked up as the compiler would from the kernel's scope; where that is not certain, all of that name count. So
// are those in CUDA code behind an #if that Clang leaves out: nvcc reads it for another architecture, or for the host.
// Borrows unit and outline.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "annotations/directive.h"
#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/needed_definitions.h"
#include "tool/frontend/parse/outline.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class Decl;
class FunctionDecl;
class MacroInfo;
class NamedDecl;
}  // namespace clang

namespace hone::frontend {

struct Closure {
  std::set<int> items;                         // of the outline, the kernel's own included
  std::vector<const clang::Decl*> in_headers;  // namespace-level declarations in the user's headers, in TU order
  std::set<std::string> system;                // "std::sqrt float (float)": what it takes from system headers
  std::set<int> includes;                      // of the main file, that bring those in
  std::vector<MacroUse> macros;                // the user's that its text uses, each definition once
  std::set<std::string> system_macros;         // by name
  std::vector<std::string> mutable_variables;  // globals that could change between calls
  std::vector<NeededDefinition> undefined;     // that are in another file
  std::vector<std::string> unset_constants;    // __constant__ memory that only other code fills
  bool drives_device = false;                  // launches a kernel, or calls what does (CUDA's runtime, CUB, …)
};

// `beside`: definitions that run or stand beside the kernel.
Closure find_closure(const TranslationUnit& unit, const Outline& outline, const Attachment& kernel,
                     const Annotation& annotation, const std::vector<annotations::Expression>& expressions,
                     const std::vector<std::pair<const clang::NamedDecl*, Need>>& beside = {});

// The same of definitions in a source without a kernel.
Closure find_closure(const TranslationUnit& unit, const Outline& outline,
                     const std::vector<std::pair<const clang::NamedDecl*, Need>>& definitions);

}  // namespace hone::frontend
