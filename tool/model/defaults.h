// What holds where an annotation, a target and the command line say nothing. docs/annotation.md and docs/cli.md give
// the same figures to users.
#pragma once

namespace hone {

// Relative tolerance of floating values of `size` bytes, where the annotation gives none and the number of values that
// a call reads and writes asks for no more: some ten roundings of float and double, one of the narrow types.
constexpr double default_rtol(unsigned size, bool brain) {
  if (brain) return 1.6e-2;
  return size == 2 ? 1e-3 : size == 4 ? 1e-5 : size == 8 ? 1e-12 : 1e-15;
}

inline constexpr unsigned default_trials = 45;  // of one kernel, as the papers' searches have
inline constexpr double default_budget_seconds = 600;
// What is kept of a budget for the winner's own measurement, beside twice the longest judgment.
inline constexpr double finals_seconds = 8;

}  // namespace hone
