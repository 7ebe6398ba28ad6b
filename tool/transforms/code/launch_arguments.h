// Which of the launcher's parameters a kernel's parameter is: what the annotation says of one holds for the other.
#pragma once

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// The launcher's parameter that the launch hands on unchanged; null: it hands on something else.
const Parameter* annotated_parameter(const KernelContext& context, const clang::ParmVarDecl* parameter);

// What an expression of the launcher comes to in the annotation's first problem; nullopt: it is not known in numbers.
std::optional<double> value_in_launcher(const KernelContext& context, const clang::Expr* expression);

// What an expression of the kernel comes to in the annotation's first problem; nullopt: it is not known in numbers.
std::optional<double> value_in_problem(const KernelContext& context, const clang::Expr* expression);

}  // namespace hone::frontend
