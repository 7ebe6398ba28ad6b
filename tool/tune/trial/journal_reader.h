// How a search went, as its journal tells it (journal.h): for reports, also while the search runs.
//
// Takes no lock and changes nothing. A torn last line and damaged ones are left out. Verdicts come without their raw
// samples: there are many, and a report shows those of the winner.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/model/verdict.h"
#include "tool/tune/trial/journal.h"

namespace hone::tune {

struct JournaledTrial {
  std::string name;
  std::string source;      // digest of the candidate's text
  JournaledOrigin origin;  // empty in journals of before it was kept
  Verdict verdict;
};

struct JournaledRun {
  RunIdentity run;
  std::vector<JournaledTrial> trials;  // in the order of their verdicts; the original is none
  bool done = false;                   // its result is final
};

// Error: the file cannot be read, or its first line is none of a journal's.
Result<JournaledRun> read_journal(const std::filesystem::path& file);
Result<JournaledRun> parse_journal(std::string_view text, const std::string& where);

// The process that holds the journal, where one does now: a search goes on.
bool is_written(const std::filesystem::path& file);

}  // namespace hone::tune
