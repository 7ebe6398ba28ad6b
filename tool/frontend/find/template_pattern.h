// What a function that depends on template parameters depends on: those of the class templates around it, and its own.
// Borrows the parse.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/frontend/parse/template_parameter.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class NamedDecl;
class TemplateParameterList;
}  // namespace clang

namespace hone::frontend {

// One `template <…>`.
struct TemplateLevel {
  const clang::TemplateParameterList* parameters = nullptr;  // as the function's definition names them
  const clang::CXXRecordDecl* record = nullptr;              // whose they are; nullptr: the function's own
};

struct LevelParameter {
  const clang::NamedDecl* declared = nullptr;   // in the definition's list
  const clang::NamedDecl* defaulted = nullptr;  // where a default argument is written; nullptr: there is none
  std::size_t level = 0;
  std::string name;  // that a clause gives it by: of `auto x` the function's parameter's
};

struct TemplatePattern {
  const clang::FunctionDecl* function = nullptr;
  std::vector<TemplateLevel> levels;       // the outermost first
  std::vector<LevelParameter> parameters;  // of all levels
  bool member() const;
};

// Those that a member is in, the outermost first.
std::vector<const clang::CXXRecordDecl*> classes_around(const clang::FunctionDecl& function);

TemplatePattern template_pattern(const clang::FunctionDecl& function);

// Per level "<float, 4>", from what each parameter stands for.
std::vector<std::string> arguments_by_level(const TemplatePattern& pattern,
                                            const std::vector<TemplateParameter>& meanings);

// The class of a member with the parameters' own names: "::app::Filter<T, N>::Stage".
std::string class_of_pattern(const TemplatePattern& pattern);

// What the file says of one instance.
struct InstanceUse {
  bool specialized = false;   // explicitly
  bool instantiated = false;  // explicitly, here
};
InstanceUse use_of_instance(const TemplatePattern& pattern, const std::vector<std::string>& arguments);

}  // namespace hone::frontend
