// The kernels of one `hone tune`: one after the other, side by side, or within a time that they share.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tool/cli/command/interrupt.h"
#include "tool/os/files/clock.h"
#include "tool/project/kernels.h"
#include "tool/project/tune_options.h"
#include "tool/report/board.h"
#include "tool/report/console.h"
#include "tool/tune/tuner.h"

namespace hone::cli {

// What is shown of them on stderr: a board on a terminal, else plain lines. Where several kernels go on at once, lines
// begin with the kernel's name. Thread-safe.
class Watch {
 public:
  Watch(const std::vector<project::ProjectKernel>& kernels, const project::TuneOptions& options, Interrupt& interrupt);

  report::Progress& kernel(std::size_t index);
  void note(const std::string& line);
  void wait(std::size_t kernel, bool waits);  // for its next slice

 private:
  const os::SteadyClock clock_;
  std::optional<report::Board> board_;
  std::deque<report::Console> consoles_;  // one of each kernel, where there is no board
  std::optional<Interrupt::AroundStop> around_stop_;
};

// In their order; those that an interrupt left out are missing.
std::vector<report::KernelResult> tune_kernels(const std::vector<project::ProjectKernel>& kernels,
                                               const project::TuneOptions& options, tune::Tuner& tuner, Watch& watch,
                                               const Interrupt& interrupt);

}  // namespace hone::cli
