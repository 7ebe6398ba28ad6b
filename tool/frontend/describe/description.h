// From a function's parameters and its annotation to the model's words: roles, extents, problems, tolerances.
//
// Every mistake in the annotation that shows without compiling an expression is found here, at its own place.
// Expressions are numbered, not interpreted; only a plain number is read at once, other constants are left as
// `constants`. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "annotations/directive.h"
#include "tool/frontend/arguments/arguments.h"
#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// A constant that Clang must evaluate before the spec is whole (a weight, a tolerance, a number of threads).
struct PendingConstant {
  annotations::Expression expression;
  std::function<std::string(KernelSpec&, double)> store;  // "" or what is wrong with the value
  bool required = true;                                   // false: what is no constant is not stored, and no mistake
};

struct ProblemValue {
  unsigned parameter = 0;
  annotations::Expression value;
};

struct Description {
  Arguments arguments;                                    // where they are not the spec's parameters as they are
  std::vector<annotations::Expression> expressions;       // by ExpressionId
  std::vector<std::vector<ProblemValue>> problem_values;  // by problem, in the order written
  std::vector<PendingConstant> constants;
  std::optional<annotations::Launch> launch;           // of a __global__ kernel
  std::optional<annotations::Name> workload;           // what is called in the kernel's place, and calls it
  bool workload_is_template = false;                   // with the kernel's own parameters
  std::vector<TemplateParameter> template_parameters;  // that expressions may name, of a template's instance
  std::vector<unsigned> sizes;                         // scalars that every problem must set
  std::string lacks_problem;  // a sentence, where there is none; the spec then has one that sets nothing
  std::vector<Mistake> mistakes;
};

// Clauses' expressions, of every kind.
std::vector<annotations::Expression> all_expressions(const Description& description);

// Fills spec.parameters, built, result, problems, tolerances, threads, expression_count. `folder` is the source file's.
Description describe(const clang::FunctionDecl& function, const annotations::Directive& directive,
                     const std::string& folder, KernelSpec& spec);

}  // namespace hone::frontend
