// Which variables outside of functions a function uses, itself or through what it calls of the user's. Pure.
#pragma once

#include <map>
#include <string>

namespace clang {
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace hone::frontend {

enum class VariableUse {
  read,               // each use is certain to read alone: a value is loaded, or a `const` view is taken
  changed_giving_up,  // what may change it stands in branches that end with `return` (giving_up.h)
  changed
};

// By qualified name. What pointers in a variable lead to is not looked at. `without`: a function that it calls, and
// what that one uses.
std::map<std::string, VariableUse> variable_uses(const clang::FunctionDecl& function,
                                                 const clang::FunctionDecl* without = nullptr);

// A constant that lacks its `const`: of this unit alone, and nothing in it is seen to write it, called or not.
bool is_never_written(const clang::VarDecl& variable);

}  // namespace hone::frontend
