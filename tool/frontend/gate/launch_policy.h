// The gate's rules for a candidate that brings launches of its own in place of a __global__ kernel's.
//
// Such a candidate begins with the original kernel, unchanged: launches that are not as annotated, and those that
// nobody sees, stay the original's. Its function is called where a launch was, so it behaves as one: it works on the
// stream that it is given and on no other, waits for nothing, and leaves CUDA's last error to the program. Hygiene, as
// all of the gate. Pure.
#pragma once

#include <optional>

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/parse/parse.h"
#include "tool/model/kernel_spec.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// May it bring launches at all, and does it begin with the original?
std::optional<Objection> object_to_copy(const SplitSource& candidate, const KernelSpec& spec,
                                        const clang::LangOptions& language);

// Does it define the function as the kernel wants it, and what does its host code do? `kernel`: its copy of the
// original.
std::optional<Objection> object_to_launches(const Parsed& parsed, const KernelSpec& spec,
                                            const clang::FunctionDecl& kernel);

}  // namespace hone::frontend
