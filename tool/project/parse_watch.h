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

#include "tool/base/result.h"

namespace hone::project {

// At the beginning of main(), whose words these are.
void restart_on_crash(char** words);

// An Error where it has ended a process that this one stands for.
Result<void> survives(const std::string& source);

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

// Calls find(), whose Clang reads the source, unless it ended a process before.
template <class Find>
auto watched(const std::string& source, const Find& find) -> decltype(find()) {
  if (const auto known = survives(source); !known) return tl::unexpected(known.error());
  const ParseWatch watch(source);
  return find();
}

}  // namespace hone::project
