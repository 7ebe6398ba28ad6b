// From the type of a parameter or a result to the data behind it, or to why no clause can describe that. Pure.
#pragma once

#include <clang/AST/Type.h>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace clang {
class FunctionDecl;
class ParmVarDecl;
}  // namespace clang

namespace hone::frontend {

struct ParameterType {
  Parameter parameter;             // name, type, pointer, stream, element, enumerators
  bool constant = true;            // nothing is written through it
  std::vector<std::string> inner;  // dimensions behind the first, of T (*)[N][M]; of C's arrays expressions: "m + 1"
  std::string flaw;                // "is a reference, which no clause describes"; "" when all is well
};

// As if the parameter were of that type.
ParameterType parameter_type(const clang::ParmVarDecl& declared, clang::QualType type);

// "16" of `float x[16]`, "n" of C's `float x[static n]`. "": the declaration says no length.
std::string declared_length(const clang::ParmVarDecl& declared);

// The layout of a result that is not void, or why it has none: "is a pointer".
std::variant<ElementType, std::string> result_type(const clang::FunctionDecl& function);

// What to do about arguments that no clause describes, as a sentence goes on with it.
std::string advice_on_arguments(const clang::FunctionDecl& function);

}  // namespace hone::frontend
