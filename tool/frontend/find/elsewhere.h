// The definitions of what a kernel or its workload uses from other sources of the project (decision 47).
//
// They are parsed with their own compile commands, and cut to what is used there and all that this reaches, in as many
// sources as it takes. Of a header's function X.h declares, X.cpp is looked into first.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/describe/needed_definitions.h"
#include "tool/frontend/find/files_read.h"
#include "tool/frontend/find/reached_text.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Elsewhere {
  std::vector<CalledUnit> units;     // one for each source
  std::vector<ReachedText> reached;  // of all of them, for the key
  std::set<std::string> variables;   // that they define, by qualified name
  std::vector<std::string> missing;  // what runs and is defined nowhere, by qualified name
  std::string objection;             // a sentence where one does more than compute; else ""
  std::vector<FileRead> read;        // by those parses
  std::vector<std::string> absent;
  std::string digest;  // of the files, as KernelsAndFiles::files
};

// `undefined`: Closure::undefined of the kernel in `own`, the command of its file.
Elsewhere find_elsewhere(const std::vector<NeededDefinition>& undefined, const CompileCommand& own,
                         const Options& options);

}  // namespace hone::frontend
