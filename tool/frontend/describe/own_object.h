// What an annotation says of the object that a member function is called on. A clause names a member as the function's
// body does: `values`; `this->values` means the same, unless a parameter has the member's name. Pure.
#pragma once

#include <string>
#include <vector>

#include "annotations/directive.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

class ArgumentPlan;

// The clauses with `this->` left out where it says nothing. What stands behind keeps its column.
annotations::Directive with_plain_members(annotations::Directive directive, const clang::FunctionDecl& function);

// The data members of the object, whose names clauses know.
std::vector<std::string> members_of(const clang::FunctionDecl& function);

// The object among the arguments, if the function uses it. "" or why it cannot be, from "calls …" on.
std::string add_object(const clang::FunctionDecl& function, ArgumentPlan& plan);

}  // namespace hone::frontend
