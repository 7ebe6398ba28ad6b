// Which of a project's compiler flags still mean something when one function is compiled by itself.
//
// Kept is what decides the code: language, optimisation, machine, macros, OpenMP. Dropped is what names files (the
// frozen unit needs none), asks for other outputs (dependencies, debug info, profiles, coverage, LTO), judges style
// (warnings), or contradicts a shared object (-fPIE, -static, -fvisibility). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/compile_command.h"

namespace hone::evaluate {

struct CompileFlags {
  std::string compiler;             // absolute, or a name to be found on PATH
  std::vector<std::string> freeze;  // for the preprocessor: with the project's include paths, without outputs
  std::vector<std::string> unit;    // for the frozen unit
  std::vector<std::string> macros;  // those of `unit` that define or undefine a macro
};

// nullopt: the command does not compile one source.
std::optional<CompileFlags> split_flags(const CompileCommand& command);

}  // namespace hone::evaluate
