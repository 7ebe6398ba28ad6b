// What becomes of a command on many sources when Clang does not survive one of them (an endless recursion, an
// assertion, a bug): the command starts anew without that source, which it names, and the rest goes on.
//
// While a ParseWatch lives, a signal that its thread dies of replaces this process by the same program with the same
// words. Sources that ended one before are handed on in an environment variable. Nothing of the crashed process is used
// for it. Does nothing where restart_on_crash() was not called. Any number of threads at a time.
#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace hone::project {

// At the beginning of main(), whose words these are.
void restart_on_crash(char** words);

// Has it ended a process that this one stands for?
bool ended_a_process(const std::string& source);

class ParseWatch {
 public:
  explicit ParseWatch(const std::string& source);
  ~ParseWatch();
  ParseWatch(const ParseWatch&) = delete;
  ParseWatch& operator=(const ParseWatch&) = delete;

 private:
  const std::string source_;
  std::vector<char> stack_;  // the crashed one may be full
  stack_t stack_before_{};
};

}  // namespace hone::project
