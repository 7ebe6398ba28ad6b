// Variables of a file or a namespace that clauses name: "weights", "app::table.w". Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

// The variable whose name begins at token `at`, as the function would find it; `at` goes behind its name. Null: none.
const clang::VarDecl* find_variable(const clang::FunctionDecl& function, const std::vector<std::string>& tokens,
                                    std::size_t& at);

// Can other code change it, so that what it holds must be said?
bool is_changeable(const clang::VarDecl& variable);

// "::app::calls", as text behind the file would write it.
std::string name_from_outside(const clang::VarDecl& variable);

// A definition of one that this file only declares: "namespace app { int calls; }". "" where there is one.
std::string missing_definition(const clang::VarDecl& variable);

}  // namespace hone::frontend
