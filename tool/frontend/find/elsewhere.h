// The definitions of what a kernel or its workload uses from other sources of the project (decision 47).
//
// They are parsed with their own compile commands, and cut to what is used there and all that this reaches, in as many
// sources as it takes. Of a header's function X.h declares, X.cpp is looked into first.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/describe/needed_definitions.h"
#include "tool/frontend/find/files_read.h"
#include "tool/frontend/find/reached_text.h"
#include "tool/frontend/parse/clang_options.h"
#include "tool/frontend/parse/outline.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Elsewhere {
  std::vector<CalledUnit> units;     // one for each source
  std::vector<ReachedText> reached;  // of all of them, for the key
  std::set<std::string> variables;   // that they define, by qualified name
  std::vector<std::string> missing;  // what runs and is defined nowhere, by qualified name
  std::string unparsed;   // of sources that have such a name, what Clang says of one it cannot parse; else ""
  std::string objection;  // a sentence where one does more than compute; else ""
  // What they use of the kernel's own file: it must be in the kernel's unit.
  std::vector<std::pair<const clang::NamedDecl*, Need>> called_back;
  std::vector<FileRead> read;  // by those parses
  std::vector<std::string> absent;
  std::string digest;  // of the files, as KernelsAndFiles::files
};

// Parses each source once.
class OtherSources {
 public:
  // For kernels of the file that `own` compiles.
  OtherSources(CompileCommand own, Options options);
  ~OtherSources();

  // `undefined`: Closure::undefined of a kernel in the file that the outline is of. `sets_variables`: a workload runs,
  // so what the kernel calls may read variables, but not change them.
  Elsewhere find(const Outline& outline, const std::vector<NeededDefinition>& undefined, bool sets_variables);

 private:
  struct Source;
  class Search;
  const Result<std::unique_ptr<Source>>& open(const CompileCommand& command);
  Result<std::unique_ptr<Source>> parsed(const CompileCommand& command) const;

  const CompileCommand own_;
  const Options options_;
  std::map<std::string, Result<std::unique_ptr<Source>>> sources_;  // by file
};

}  // namespace hone::frontend
