// Which of a project's compiler flags still mean something when one function is compiled by itself.
//
// Kept is what decides the code: language, optimization, machine, macros, OpenMP, device architectures. Dropped is what
// names files, asks for other outputs (dependencies, debug info, profiles, coverage, LTO), judges style (warnings), or
// contradicts a shared object (-fPIE, -static, -fvisibility). Where the project's headers are is kept apart: a unit of
// C++ needs none of them once it is frozen, and one of CUDA has copies elsewhere. Pure but for response files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/command/compile_command.h"
#include "tool/command/compiler_line.h"

namespace hone {

// A place of headers in an nvcc command.
struct HeaderFlag {
  std::string flag;   // "-I=", "-isystem=", "-include="; of the host compiler's: "-iquote,"
  std::string path;   // as in the command
  bool host = false;  // behind -Xcompiler

  // The flag for another place.
  std::string word(const std::string& where) const;
  bool operator==(const HeaderFlag&) const = default;
};

struct CompileFlags {
  std::string compiler;  // absolute, or a name to be found on PATH
  bool nvcc = false;     // the compiler is
  SourceLanguage language = SourceLanguage::c_plus_plus;
  std::string host_compiler;        // of nvcc's -ccbin; "": the one on PATH
  std::vector<std::string> freeze;  // for the preprocessor: with the project's include paths, without outputs
  std::vector<std::string> unit;    // for the frozen unit
  std::vector<std::string> macros;  // those of `unit` that define or undefine a macro
  std::vector<HeaderFlag> headers;  // of nvcc: what `freeze` has beyond `unit`
};

// nullopt: the command does not compile one source.
std::optional<CompileFlags> split_flags(const CompileCommand& command);

}  // namespace hone
