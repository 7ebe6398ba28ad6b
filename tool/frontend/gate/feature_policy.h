// Whether a candidate asks the processor before it uses what the project's target has not.
//
// A program for x86-64-v3 runs on processors without AVX-512: there a function with __attribute__((target("avx512f")))
// ends it. So such functions, and those behind `#pragma GCC target`, may be named only where __builtin_cpu_supports()
// has said yes to each feature: in an if, behind an if that leaves, in && and ?:, also by way of a const variable or a
// function of the candidate's that returns the answer. Or the compiler dispatches itself (target_clones). Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/gate/pragma_policy.h"
#include "tool/frontend/parse/parse.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

using Features = std::set<std::string>;

// Of a function's own target attribute.
Features features_beyond_target(const Parsed& parsed, const clang::FunctionDecl& function);

// `kernel`: the candidate's definition of it. `targets`: where pragmas ask for features.
// `original`: what the original is compiled with, whoever runs it.
std::optional<Objection> object_to_features(const Parsed& parsed, const clang::FunctionDecl& kernel,
                                            const std::vector<TargetRange>& targets, const Features& original);

}  // namespace hone::frontend
