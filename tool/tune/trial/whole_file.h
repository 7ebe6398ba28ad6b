// A kernel's unit that is the user's whole file: nothing is blanked, the variant goes where the build puts it, and the
// harness stands behind the last line.
//
// Compared with the unit that is judged it shows whether the text around a variant changes its code.
#pragma once

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::tune {

// The kernel with that unit. Parses the file. Error: it cannot be read, or has no such kernel any more.
Result<KernelSpec> with_whole_file(const KernelSpec& spec, const CompileCommand& command,
                                   const frontend::Options& options);

// What stands in the kernel's place in that file once `variant` is linked: the variant, or, where it may rely on fixed
// scalars, the variant and the original behind their guard. Error: it cannot stand there.
Result<std::string> source_in_file(const KernelSpec& spec, const std::string& variant, const CompileCommand& command,
                                   const frontend::Options& options);

}  // namespace hone::tune
