// Runs the real compiler in a compile's place: the caller's stdin, stdout, environment and descriptors (make's job
// server) are the compiler's; its exit code is the caller's; a signal that reaches the caller reaches it. When this
// process is killed, the compiler and all its children are ended (compiler_guard.h).
//
// Diagnostics can be held back, for an attempt whose failure is nobody's business. Unlike os::ProcessRunner it sets no
// limits and cleans nothing: this is the build's own compiler. One at a time in a process (it owns the signal handlers
// while it runs).
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compiler_line.h"

namespace hone::apply {

struct CompilerExit {
  int code = 0;
  int signal = 0;            // that ended it; 0: none
  bool interrupted = false;  // a signal reached us meanwhile: whatever the code, somebody wants no more
  std::string diagnostics;   // what it wrote to stderr, when held back
  bool ok() const { return code == 0 && signal == 0; }
};

enum class Diagnostics { through, held };

// `output`: what it writes, "" where that is not known; removed where this process is killed before it is whole.
// Error: it cannot be started.
Result<CompilerExit> run_compiler(const std::vector<std::string>& command, Diagnostics diagnostics,
                                  const std::string& output = {});

// The line of its diagnostics that says what stopped it.
Error first_error(const CompilerExit& exit);

// Ends this process as the compiler ended, by the same signal where it was one.
int pass_on(const CompilerExit& exit);

// Compilers color what goes to a terminal; held back it does not, and they must be told.
std::vector<std::string> with_colors(std::vector<std::string> command, const CompilerLine& line);

// For a source with variants: one may do without a static function that the original called, which is no mistake there.
std::vector<std::string> without_unused_functions(std::vector<std::string> command, const CompilerLine& line);

}  // namespace hone::apply
