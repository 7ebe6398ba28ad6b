// Commands that are no compile of one source into one object: several sources at once, or a link with it.
//
// Each source is compiled as by a command of its own, with its variants. Where a program is linked at once, the link
// comes then; the objects live in <output>.hone/ while that lasts. One at a time in a process (apply_process.h).
#pragma once

#include "tool/apply/applier.h"
#include "tool/command/compiler_line.h"

namespace hone::apply {

// Both return the exit code.
int apply_to_several(const ApplyRequest& request, const SourcesLine& line);
int run_original(const ApplyRequest& request);

}  // namespace hone::apply
