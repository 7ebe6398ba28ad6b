// From a C++ type to the bytes behind it: what the judge needs to draw, poison and compare data of that type. Pure.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <string>
#include <variant>

#include "tool/model/element_type.h"

namespace clang {
class ASTContext;
}

namespace hone::frontend {

// An arithmetic type, or a plain struct of such, nested structs and arrays flattened. Else the reason why the clauses
// cannot describe it: "holds a pointer ('next')". An enum is the integer below it.
std::variant<ElementType, std::string> element_layout(clang::QualType type, const clang::ASTContext& context);

// CUDA's __half and __nv_bfloat16: classes to C++, numbers to everybody else.
std::optional<ScalarType> small_float(clang::QualType type);

}  // namespace hone::frontend
