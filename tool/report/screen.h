// What a terminal shows of a run that tunes several kernels: a function from its state to lines. Pure.
//
//   3 kernels: 1 judging, 1 waiting, 1 done; 15 candidates, 38/min; 0:24 left
//     blur     judging  3.10x [3.02, 3.18]   9/45  41/min  0:12 left  4.10x [4.02, 4.18], not accepted: 0.80x on n=515
//     softmax  waiting  1.42x [1.40, 1.44]   6/45
//     scan     done     tuned: 2.20x [2.18, 2.22]
//
// Where the terminal is narrow, columns are left out from the least telling one on; where it is low, kernels that are
// done or wait are counted in one line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tool/report/progress.h"
#include "tool/report/terminal.h"

namespace hone::report {

constexpr double unknown_time = std::numeric_limits<double>::infinity();

struct ScreenKernel {
  std::string name;
  Phase phase = Phase::waiting;
  std::optional<Speedup> best;  // of what was accepted
  unsigned trial = 0, trials = 0;
  unsigned judged = 0;                 // without those that the journal knew
  double active_seconds = 0;           // in which they were judged
  double seconds_left = unknown_time;  // of its own budget
  Spent spent;                         // on a language model
  double most_cost = 0;                // 0: no limit
  std::uint64_t most_tokens = 0;
  unsigned calls_open = 0;
  std::string last;     // the last trial's outcome, with the reason where it was not accepted
  std::string outcome;  // of one that is done
};

struct ScreenState {
  std::vector<ScreenKernel> kernels;
  double seconds = 0;                  // since the run began
  double seconds_left = unknown_time;  // of the budget of all kernels together
  bool stopping = false;               // the user asked for it
};

// At most `size.rows` - 1 lines of at most `size.columns` - 1 columns, so that nothing wraps or scrolls.
std::vector<std::string> screen(const ScreenState& state, TerminalSize size, bool color);

}  // namespace hone::report
