// What Clang says of a file with a variant in it.
#pragma once

#include <string>

#include "tool/command/compile_command.h"
#include "tool/frontend/parse/clang_options.h"

namespace hone::frontend {

// Clang's first error in a main file's text under the command, or "". Warnings do not count, nor errors that the file
// on disk has already.
std::string first_error(const CompileCommand& command, const std::string& main_text, const Options& options);

}  // namespace hone::frontend
