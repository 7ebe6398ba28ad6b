// Where a breakpoint on the user's own line stops.
//
// A variant's lines belong to hone/cas/<digest>, so a debugger that is asked for a line of the original body finds no
// code there and takes the next function of the file. Here the variant's header, down to its opening brace, gets the
// line of the original's closing brace: debuggers take the next line that has code, so each line of the original stops
// where the variant begins. (In optimized code that line may be lost.) The body keeps its own lines. Code does not
// change. Pure.
#pragma once

#include <string>

#include "tool/frontend/parse/main_text.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// `last`: the original's last line. `display`: of the variant, as in Replacement. The text as it is where the function
// is not found as one that tokens show, or where a line of its header cannot be cut off.
std::string with_breakpoint_lines(const KernelIdentity& kernel, const std::string& variant, const FilePlace& last,
                                  const std::string& display);

}  // namespace hone::frontend
