// How a harness names the kernel, its type and what it stands in.
#pragma once

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// Innermost last; "" for an unnamed one, "inline x" for an inline one.
std::vector<std::string> namespaces_around(const clang::FunctionDecl& kernel);

// Classes that take functions of ours among their own, so that clauses may name what is in them.
bool opens_scope(const clang::FunctionDecl& kernel);

// Qualified, so that a using-directive cannot bring in others; in an unnamed namespace the nearest is the right one
// anyway.
std::string address_of(const clang::FunctionDecl& kernel);

// decltype, which both compilers know in C++98 too, by this name.
std::string type_of_expression(const clang::FunctionDecl& kernel, const std::string& expression);

// An overload is chosen by its type, spelled; otherwise the function says its type itself.
std::string function_type(const clang::FunctionDecl& kernel);

}  // namespace hone::frontend
