// The process between `hone cc` and the compiler: it waits, passes signals on, and ends as the compiler ended.
//
// A compiler driver that is killed leaves its own children behind, who then write an object that nobody waits for,
// perhaps while the next build does. Where `hone cc` itself is killed (kill -9 too) the guard ends all of them, and
// removes the output if they had begun it. What a compile that ends by itself leaves running (a cache's server) is left
// alone.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "tool/os/process/process_tree.h"

namespace hone::apply {

struct GuardedCompile {
  std::vector<char*> command;                                  // null-terminated
  int held = -1;                                               // where stderr goes; -1: stays
  std::string output;                                          // "": not known
  std::vector<std::pair<int, struct sigaction>> dispositions;  // the compiler's
  sigset_t mask{};                                             // the compiler's
};

// Runs in a fork of `parent`, of which it has `tree` at its disposal.
[[noreturn]] void guard_compiler(const GuardedCompile& compile, os::ProcessTree& tree, pid_t parent);

}  // namespace hone::apply
