// hone cc [--settings FILE] [--lock FILE] [--mode apply|tune|off] [--locked] -- COMPILER ARGS…
//
// The compiler launcher's second half: the compile of a source that mentions hone. Ends as the compiler ends.
#pragma once

namespace hone::cli {

// `argv[0]` is the word `cc`. Exit code 2: usage; else the compile's.
int cc_command(int argc, char** argv);

}  // namespace hone::cli
