// An annotation with what was captured in place of the clauses that it leaves out: problems where it has none, init()
// of numbers and arrays of numbers where it says nothing. Each stands at the annotation's own place. Pure.
#pragma once

#include "annotations/directive.h"
#include "tool/model/captured_clauses.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// `described`: what the annotation itself says.
annotations::Directive with_captured(annotations::Directive directive, const KernelData& described,
                                     const CapturedClauses& captured);

}  // namespace hone::frontend
