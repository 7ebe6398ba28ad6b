// What becomes of a compile when Clang does not survive the source: the project's compiler runs as the build asked.
//
// While a CrashExit lives, a signal that Clang dies of (an endless recursion, an assertion, a bug) prints its note and
// replaces this process by the compiler, with the words and the environment that it was given. In a strict build the
// note is an error and the process ends with 1. Nothing of the crashed process is used for it. One at a time, for the
// thread that made it.
#pragma once

#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace hone::apply {

class CrashExit {
 public:
  // `note` is whole, with its line end. `strict`: do not compile.
  CrashExit(const std::vector<std::string>& command, std::string note, bool strict);
  ~CrashExit();
  CrashExit(const CrashExit&) = delete;
  CrashExit& operator=(const CrashExit&) = delete;

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  std::string note_;
  std::vector<char> stack_;  // the crashed one may be full
  stack_t stack_before_{};
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace hone::apply
