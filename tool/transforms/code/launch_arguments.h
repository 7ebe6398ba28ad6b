// Which of the launcher's parameters a kernel's parameter is: what the annotation says of one holds for the other.
#pragma once

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// The launcher's parameter that the launch hands on unchanged; null: it hands on something else.
const Parameter* annotated_parameter(const KernelContext& context, const clang::ParmVarDecl* parameter);

// A whole number that launcher and kernel can both work out, each by the names of its own parameters.
struct HandedExpression {
  std::string in_launcher, in_kernel;
};

// An expression in the words of the launcher, if it is made of whole numbers and of parameters that the launch hands on
// unchanged. Products are those of long long, so that what does not fit into int is seen to be large.
std::optional<HandedExpression> handed_expression(const KernelContext& context, const std::string& text);

// What an expression of the launcher comes to in the annotation's first problem; nullopt: it is not known in numbers.
std::optional<double> value_in_launcher(const KernelContext& context, const clang::Expr* expression);

// What an expression of the kernel comes to in the annotation's first problem; nullopt: it is not known in numbers.
std::optional<double> value_in_problem(const KernelContext& context, const clang::Expr* expression);

}  // namespace hone::frontend
