// Variants that somebody has before the search begins: what was locked before an edit, what a colleague recorded.
//
// Each is a claim. It is put through what the winner of a search goes through (gate, its whole file, compile, judge on
// held-out data, timing), so that one that holds needs no search. One that does not hold may be a start for it. What
// was found not to hold is in the journal: a run that resumes does not judge it again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/lock/ledger.h"
#include "tool/lock/record.h"
#include "tool/model/candidate.h"
#include "tool/report/progress.h"
#include "tool/tune/trial/finals.h"
#include "tool/tune/trial/journal.h"

namespace hone::tune {

struct KnownVariant {
  std::string source;
  std::string what;                    // "the earlier variant", for messages
  bool may_lock = true;                // where it holds, it is locked in place of a search; false: it only takes part
  bool elsewhere = false;              // it comes from the team's store
  std::optional<lock::Record> origin;  // who found it and how, where that is known: for the new record, and its genome
};

struct VerifiedVariant {
  KnownVariant variant;
  Verdict verdict;

  bool holds() const { return verdict.right && verdict.faster; }
  // As the candidate of a search, with the built-in proposer's genome where it has one.
  Candidate candidate() const;
};

struct KnownVariants {
  std::vector<VerifiedVariant> verified;  // in the order of trying
  std::optional<std::size_t> locking;     // in `verified`: it holds, and is to be locked in place of a search
};

// What the lock file has of the kernel under other keys, the best fit first and at most two. Of an entry that was
// searched to its end, for a build that has all that the entry's had, it may be locked. Another compiler or fewer
// features is a reason to search: then it only takes part. `device`: as in lock::Ledger::locked().
std::vector<KnownVariant> earlier_winners(const lock::Ledger& ledger, const std::string& device);

// Verifies them in their order, until one holds that may be locked (`search_anyway`: all of them, and none is locked).
// Ends early where `whole` has come. Error: the environment failed.
Result<KnownVariants> verify_known(std::vector<KnownVariant> known, bool search_anyway, Finals& finals,
                                   Journal& journal, report::Progress& progress, const Deadline& whole);

}  // namespace hone::tune
