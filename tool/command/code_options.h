// Which options of a compile shape the code that comes out, as they take effect: a figure that was measured with some
// says nothing of a build with others.
//
// "-O3 -fno-trapping-math -mtune=skylake": the level, always, and then sorted; of several -O the last, of -fX, -fno-X
// and -fX=… the last. Left out is what the judge leaves out (compile_flags.h), what the target has resolved (-march=…),
// and what checks, speaks, or names places. Pure.
#pragma once

#include <string>

#include "tool/command/compile_flags.h"

namespace hone {

std::string code_options(const CompileFlags& flags);

}  // namespace hone
