// A search's last part: which of its best is the winner, measured afresh.
//
// Borrows everything. Runs once.
#pragma once

#include <optional>
#include <string>

#include "tool/frontend/parse/clang_options.h"
#include "tool/project/project.h"
#include "tool/report/progress.h"
#include "tool/tune/trial/deadline.h"
#include "tool/tune/trial/evaluator.h"
#include "tool/tune/trial/search_outcome.h"

namespace hone::tune {

struct Winner {
  std::optional<std::size_t> index;  // in SearchOutcome::accepted; nullopt: none held
  std::optional<Verdict> fresh;      // measured afresh; nullopt: the first look had to do
  std::string message;               // why it had to
};

class Finals {
 public:
  // `reserve`: seconds that the winner's own measurement may take.
  Finals(Evaluator& judge, const project::ProjectUnit& unit, const KernelSpec& spec, const frontend::Options& frontend,
         report::Progress& progress, const Deadline& whole, double reserve);

  // Puts the best in front, and sets `found.error` where the environment fails.
  Winner run(SearchOutcome& found);

 private:
  void order_the_best(SearchOutcome& found);
  Winner confirm(SearchOutcome& found);
  Result<std::string> why_not_in_its_file(const Candidate& candidate);

  Evaluator& evaluator_;
  const project::ProjectUnit& unit_;
  const KernelSpec& spec_;
  const frontend::Options& frontend_;
  report::Progress& progress_;
  const Deadline& whole_;
  const double reserve_;
};

}  // namespace hone::tune
