// Which variables outside of functions a function uses, itself or through what it calls of the user's. Pure.
#pragma once

#include <map>
#include <string>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// By qualified name. True where each use is certain to read alone: a value is loaded, or a `const` view is taken.
// What pointers in a variable lead to is not looked at. `without`: a function that it calls, and what that one uses.
std::map<std::string, bool> variables_only_read(const clang::FunctionDecl& function,
                                                const clang::FunctionDecl* without = nullptr);

}  // namespace hone::frontend
