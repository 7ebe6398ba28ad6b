// An annotation with what was captured in place of the clauses that it leaves out: problems where it has none, init()
// of parameters where it says nothing. Each stands at the annotation's own place. Pure.
#pragma once

#include "annotations/directive.h"
#include "tool/model/captured_clauses.h"

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

annotations::Directive with_captured(annotations::Directive directive, const clang::FunctionDecl& function,
                                     const CapturedClauses& captured);

}  // namespace hone::frontend
