// How Clang is to look at a user's file.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/command/compile_command.h"
#include "tool/model/captured_clauses.h"

namespace hone::frontend {

struct Options {
  std::string resource_dir;  // of Clang; "" for the one this build was made with
  // Fill KernelSpec::unit and the values of constant expressions (weights, tolerances, threads), which may take parses
  // of their own. Applying needs only the key and the placement: off, find_kernels() costs one parse.
  bool units = true;
  // The keys of the kernels whose units are filled; none: all.
  std::set<std::string> units_of = {};
  // Whoever finds kernels goes on to judge or transform them: what their units include is precompiled at once.
  bool goes_on = false;
  // Fill FoundKernel::recording.
  bool recording = false;
  // What stands for clauses that an annotation leaves out, where units are filled, and where it is from.
  CapturedBy captured = {};
  std::string captures = {};
  // The commands of the project's sources whose text has the word, of "" all. Not there: no other source is looked
  // into.
  std::function<std::vector<CompileCommand>(const std::string& word)> sources_with = {};
  // Absolute path → content, in front of the disk: a file as it might be.
  std::map<std::string, std::string> overlay = {};
};

}  // namespace hone::frontend
