// From a C++ type to the bytes behind it: what the judge needs to draw, poison and compare data of that type. Pure.
#pragma once

#include <clang/AST/Type.h>

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

bool is_half(clang::QualType type);  // CUDA's __half, which is a number of two bytes

}  // namespace hone::frontend
