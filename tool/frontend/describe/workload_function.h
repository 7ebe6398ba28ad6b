// Which function workload(fn) means. Pure.
#pragma once

#include <string>
#include <variant>

#include "annotations/directive.h"
#include "tool/frontend/describe/diagnostic.h"

namespace clang {
class FunctionDecl;
class LangOptions;
}  // namespace clang

namespace hone::frontend {

// Whether workloads take hone::workload&. In C and C++98 they take hone_workload *.
bool workloads_are_cpp(const clang::LangOptions& language);

// The function that workload(…) names, as the compiler would find it from the kernel; or why there is none.
std::variant<const clang::FunctionDecl*, Mistake> find_workload(const clang::FunctionDecl& kernel,
                                                                const annotations::Name& name);

}  // namespace hone::frontend
