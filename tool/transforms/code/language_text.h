// What transformations write differently in C and C++: conversions, constants whose type need not be told, and loops in
// C89. Pure.
#pragma once

#include <string>

#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

bool is_c(const clang::ASTContext& ast);

// static_cast<float>(x); (float)(x) in C.
std::string converted(const clang::ASTContext& ast, const std::string& type, const std::string& text);

// How the declaration begins that gives `variable` its value once more: "const auto x", "auto&& x" where it is a
// reference; "const float x", "float *const x" in C. "" where C cannot spell its type.
std::string constant_like(const clang::ASTContext& ast, const clang::VarDecl* variable);

// Text in which gcc's __builtin_bit_cast() between float and unsigned and static_cast<> are C++'s, for the kernel's
// language. In C, `name` begins the names of the helpers that take their place and are written to `helpers`.
std::string in_language_of(const clang::ASTContext& ast, std::string text, const std::string& name,
                           std::string& helpers);

// The candidate's text without loops that declare their counters, which C89 does not know.
std::string without_declaring_loops(const KernelContext& context);

}  // namespace hone::frontend
