// What one call of a kernel executes, counted by a simulator and not timed: the same on every machine of its kind.
#pragma once

#include <string>
#include <vector>

namespace hone {

// Of one line of the candidate, with what was inlined into it.
struct LineCounts {
  unsigned line = 0;
  double instructions = 0;
  double first_level_misses = 0;  // data accesses that miss the first-level cache
};

struct ExecutionCounts {
  std::string problem;  // "w=1920 h=1080"
  double instructions = 0;
  double accesses = 0;            // reads and writes of data
  double first_level_misses = 0;  // of those
  double last_level_misses = 0;   // of those: they go to memory
  double branches = 0;            // conditional ones
  double mispredictions = 0;      // of those
  std::vector<LineCounts> lines;  // the candidate's own, most instructions first
};

}  // namespace hone
