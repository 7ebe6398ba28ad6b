// Moves declarations to where their variables begin to matter: C programs declare at the top of a function what each
// iteration of a loop computes anew, and transformations take that for a value that passes from one to the next.
//
//   double s;                                  for (i …) {
//   for (i …) { s = 0; for (j …) s += …; }  →    double s = 0; for (j …) s += …; }
//
// Contract: the function means the same. A variable of a C function moves if, in every block that mentions it, a plain
// assignment is the first to do so. Pure.
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// The candidate's text; nullopt: nothing moves.
std::optional<std::string> with_local_declarations(const KernelContext& context);

}  // namespace hone::frontend
