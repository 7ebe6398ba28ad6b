// Is a variant in its kernel's file what it was in the unit that it is judged in, and is the file around it what it is
// without?
//
// Candidates are judged in a cut unit and linked in the user's file. There they could ask for macros and names that the
// unit has not, and change what the code around them means: by a macro that stays, a helper or an include that calls
// further down find. So the file is parsed with the original and with the variant in place, and the unit with the
// variant. Compared are the preprocessed tokens, the meaning of each name, the overload of each call, the type of each
// expression and the value of each constant: of the variant between unit and file, of all else between both files,
// instances of templates included, those of the system's too. The gate's rules are asked of the variant once more,
// beside all that the file declares.
//
// Runs Clang in a process of its own. Never runs the compiler. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {

// "" or the first thing that is not, with its place; the variant's own lines are in "<candidate>". `text`: the file's;
// `others`: what stands in for its other kernels. The kernel was found with Options::units. The variant is one that the
// gate lets pass.
std::string object_in_file(const FoundKernel& kernel, const std::string& variant, const std::string& text,
                           const std::vector<Replacement>& others, const CompileCommand& command,
                           const Options& options);

}  // namespace hone::frontend
