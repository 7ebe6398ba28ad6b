// Which function workload(fn) means. Pure.
#pragma once

#include <string>
#include <variant>

#include "annotations/directive.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// The function that workload(…) names, as the compiler would find it from the kernel; or why there is none.
std::variant<const clang::FunctionDecl*, std::string> find_workload(const clang::FunctionDecl& kernel,
                                                                    const annotations::Name& name);

}  // namespace hone::frontend
