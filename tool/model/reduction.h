// What became of a winner between the search and the lock: what was left out of it, and what each remaining change
// gains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/model/verdict.h"

namespace hone {

// One change of the variant that stayed.
struct KeptChange {
  std::string change;           // "split_index@1", or the beginning of a statement
  std::string what;             // in words; "" where nobody knows
  std::optional<Speedup> gain;  // of the variant over the one without it; nullopt: see `without`
  std::string without;          // where there is no figure: what the variant without it is ("wrong: …")
};

struct Reduction {
  // That a reader sees: of the original, of the winner as the search found it, and as it was judged afresh.
  unsigned lines_original = 0, lines_found = 0, lines = 0;
  std::vector<std::string> left_out;
  std::vector<KeptChange> kept;
  bool complete = false;  // everything was tried; else the time was over
};

}  // namespace hone
