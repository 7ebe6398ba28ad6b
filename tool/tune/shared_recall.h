// What a colleague's search already found, asked of the team's store before a search of our own.
//
// A record that a key of the project's trust file signed counts as one of the user's store: it is kept there and can be
// locked. What is unsigned or a stranger's is at most a candidate. What is forged is refused. Each is said, once.
#pragma once

#include <optional>
#include <string>

#include "tool/lock/ledger.h"
#include "tool/report/progress.h"
#include "tool/shared/record_offers.h"
#include "tool/tune/trial/tuning_task.h"

namespace hone::tune {

struct SharedRecall {
  std::optional<lock::Record> record;    // may be locked (Ledger::lock)
  std::optional<std::string> to_verify;  // the text of a variant whose rightness and speed nobody trusted speaks for
};

// `device`: as Ledger::recorded() has it.
SharedRecall recall_shared(const TuningTask& task, shared::RecordOffers& offers, lock::Ledger& ledger,
                           const std::string& device, report::Progress& progress);

}  // namespace hone::tune
