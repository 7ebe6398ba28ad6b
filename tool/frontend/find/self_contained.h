// What a kernel reaches beyond its arguments and its file, so that it cannot be judged as it is. Pure.
#pragma once

#include <set>
#include <string>

#include "tool/frontend/describe/closure.h"
#include "tool/frontend/describe/description.h"
#include "tool/frontend/find/elsewhere.h"

namespace hone::frontend {

// Functions that no source defines or that do more than compute, and memory that other code fills: a sentence with what
// to do, "" where there are none.
std::string not_self_contained(const Closure& closure, const Elsewhere& elsewhere, const clang::FunctionDecl& function);

// Variables that other code can change, of which neither clauses nor a workload say what they hold.
std::string not_given(const Closure& closure, const Description& description, const clang::FunctionDecl& function);

// What a kernel and its workload use of other files' variables, the judge's unit has too, but for those that are
// `defined` in units beside it.
void define_variables(const Closure& closure, const std::set<std::string>& defined, const clang::FunctionDecl& function,
                      Arguments& arguments);

}  // namespace hone::frontend
