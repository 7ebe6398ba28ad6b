// Many processes at one store: all of them put, get and prune at random, and some are killed in the middle.
//
// Every entry's bytes follow from its number, so a reader knows what is right. A worker notes what it does and what it
// was told, in a file that all append to, one write() a note. So a kill loses no note, and afterwards the store is held
// to them: with pruning, to what was used last; without, to all that was ever reported as stored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hone::cache {

struct Stress {
  std::filesystem::path folder;  // the store; the notes are beside it
  unsigned workers = 8;
  unsigned operations = 10'000;   // of all workers together
  unsigned kills = 0;             // at random, spread over the operations
  std::uintmax_t most_bytes = 0;  // pruned to this; 0: never pruned
  unsigned entries = 400;         // different blobs, and keys of records
  unsigned seed = 1;
};

struct StressResult {
  unsigned operations = 0, stored = 0, found = 0, missed = 0, prunes = 0;
  unsigned kills = 0, kills_while_storing = 0;
  unsigned held_to = 0;             // entries that had to be there in the end
  std::vector<std::string> faults;  // what must not be: a wrong byte, a partial file, a put that failed, a loss, a halt
};

// Returns when all is done and everything that is left was read. Workers that stand still for a minute are a fault.
StressResult run(const Stress& stress);

}  // namespace hone::cache
