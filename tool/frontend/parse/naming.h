// What a function is called, in each of the ways that the model wants. Pure.
#pragma once

#include <string>

#include "tool/model/kernel_spec.h"

namespace clang {
class CXXMethodDecl;
class FunctionDecl;
class NamedDecl;
}  // namespace clang

namespace hone::frontend {

std::string qualified_name(
    const clang::FunctionDecl& function);  // "app::f", "app::f<float, 4>"; unnamed namespaces left out
std::string signature(const clang::FunctionDecl& function);  // "void app::f(const float *, int)", types canonical
std::string mangled_name(const clang::FunctionDecl& function);
std::string linker_name(
    const clang::NamedDecl& declaration);  // of a function or a variable; constructors by their first

// "::app::"; unnamed namespaces left out.
std::string enclosing_qualifier(const clang::FunctionDecl& function);

// "::app::Filter<float>", the class of a member function.
std::string class_of(const clang::CXXMethodDecl& method);

// What a candidate for a template's instance must define: "the candidate must define the explicit specialization
// 'template <> void …'". "" for any other kernel.
std::string wanted(const KernelSpec& spec);

// What else two definitions must share for one to stand in for the other in any file: "__global__", "inline",
// "constexpr", "noexcept" and which parameters have default arguments.
std::string promises(const clang::FunctionDecl& function);

}  // namespace hone::frontend
