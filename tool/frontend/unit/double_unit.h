// The reference in double where the original computes in float: against it one can see how much of an error is the
// candidate's own and how much the original makes already.
//
// widened() rewrites a kernel's unit: the type `float` becomes `double` everywhere, sqrtf() becomes sqrt(); constants
// keep the value that float gave them (0.1f becomes double(0.1f)), so that both compute the same thing. What comes back
// is a KernelSpec like any other: compile it like the original's. Its elements are those of the new signature, its
// problems give float scalars the values that float can hold. Its request key is empty: nothing of it is ever stored.
//
// Refused, with a reason, is what means something else in double: vectors of float and intrinsics, a float's bits seen
// as another type, unions, and float code in the user's headers, which a unit includes as they are. Never runs a
// compiler. Parses twice, behind a prologue that the unit's other parses share (parse/prologue.h).
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Widening {
  std::optional<KernelSpec> spec;
  std::string reason;  // why there is none: "blur.cpp:12: 'x' is a vector of float"; "" where there is one
};

Widening widened(const KernelSpec& spec, const CompileCommand& command, const Options& options);

}  // namespace hone::frontend
