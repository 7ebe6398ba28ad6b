// A project whose kernels were all searched, by nobody: what a search leaves is written by those who write it then (the
// ledger, the journal, the recorder), and the figures are drawn from a seed.
//
// <folder>/kernels.cpp, build/compile_commands.json, hone.lock, hone/, build/hone/runs. The user's store is where
// XDG_CACHE_HOME says.
#pragma once

#include <filesystem>
#include <string>

#include "tool/base/result.h"

namespace hone::tests {

struct SearchedProject {
  std::filesystem::path folder;
  unsigned kernels = 3;
  unsigned trials = 12;
  unsigned pairs = 40;        // of samples, on each problem
  std::string text;           // put into every name, thought, reason, error and code: hostile, for some tests
  unsigned text_in_each = 1;  // so many'th kernel
  bool spending = true;       // the searches of the last two asked a model, which was told each problem's least time
};

// Kernels are called k0, k1, …; every fifth is kept as it was. Each has the two problems n=4000 and n=1001.
Result<void> write(const SearchedProject& project);

}  // namespace hone::tests
