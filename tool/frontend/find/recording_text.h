// What stands in front of a kernel's body in a build with HONE_MODE=capture: it tells the recorder
// (capture/recorder/recorder.h) of the call, and gives it the inputs where they are wanted.
//
// The original's text stays what runs. Expressions of clauses are evaluated where the body sees the parameters. Of a
// host function that works on a CUDA device the arrays are copied back first, unless its stream is being captured into
// a graph. Pure.
#pragma once

#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// `placement`: the definition's own, also of a template's instance.
Recording recording_of(const TranslationUnit& unit, const clang::FunctionDecl& function, const Description& description,
                       const Placement& placement, bool instance, const KernelSpec& spec);

}  // namespace hone::frontend
