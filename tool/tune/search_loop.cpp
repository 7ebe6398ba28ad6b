#include "tool/tune/search_loop.h"

#include <algorithm>

#include "cache/digest.h"
#include "tool/tune/recording.h"
#include "tool/tune/trial_judge.h"

namespace hone::tune {

SearchLoop::SearchLoop(search::Search& search, Judge& judge, Journal& journal, Pipeline& pipeline,
                       report::Progress& progress, SearchLimits limits, const std::string& original)
    : search_(search),
      judge_(judge),
      journal_(journal),
      pipeline_(pipeline),
      progress_(progress),
      limits_(limits),
      first_{{original, 0}, {judge.original_object(), 0}} {}

SearchOutcome SearchLoop::run(Deadline& deadline, const std::function<void(double)>& judged) {
  while (!deadline.stopped() && !outcome_.error) {
    fill();
    if (pipeline_.open() == 0) {
      outcome_.complete = true;
      break;
    }
    const Prepared prepared = pipeline_.next();
    if (deadline.stopped()) break;
    if (const auto first = judged_before(prepared)) {
      first_.emplace(prepared.fingerprint, *first);  // where only the object was known
      search_.tell(prepared.request, prepared.candidate, search_.trials()[*first].verdict, *first);
      continue;
    }
    const auto verdict = verdict_for(prepared, deadline.token());
    if (!verdict) {
      if (!deadline.stopped()) outcome_.error = verdict.error();
    } else if (*verdict) {
      conclude(prepared, **verdict);
      judged((*verdict)->seconds);
    }
  }
  outcome_.sort();
  return std::move(outcome_);
}

// By its tokens, or by what the compiler made of them: different text is often the same program.
std::optional<unsigned> SearchLoop::judged_before(const Prepared& prepared) const {
  auto first = first_.find(prepared.fingerprint);
  if (first == first_.end() && !prepared.object.empty()) first = first_.find(prepared.object);
  if (first == first_.end()) return std::nullopt;
  return first->second;
}

void SearchLoop::fill() {
  while (pipeline_.open() < lookahead && outcome_.counts.total + pipeline_.open() < limits_.trials) {
    auto request = search_.ask();
    if (!request) return;
    pipeline_.submit(std::move(*request));
  }
}

// Nothing: it was cut short, and what was cut short is no verdict. What is in the journal is one, whatever came since.
Result<std::optional<Verdict>> SearchLoop::verdict_for(const Prepared& prepared, std::stop_token stop) {
  if (const auto* replayed = std::get_if<Replayed>(&prepared.outcome)) return replayed->verdict;
  if (const auto* error = std::get_if<Error>(&prepared.outcome)) return tl::unexpected(*error);
  Verdict verdict;
  if (const auto* failed = std::get_if<Verdict>(&prepared.outcome)) {
    verdict = *failed;
  } else {
    HONE_TRY(verdict, judge_.run(std::get<evaluate::Objects>(prepared.outcome),
                                 trial_rule(limits_.longest_look, search_.best() != nullptr), stop));
    if (stop.stop_requested()) return std::nullopt;
  }
  HONE_CHECK(journal_.append(prepared.fingerprint, prepared.candidate.name, cache::sha256(prepared.candidate.source),
                             prepared.object, verdict));
  return verdict;
}

void SearchLoop::conclude(const Prepared& prepared, const Verdict& verdict) {
  const unsigned trial = search_.tell(prepared.request, prepared.candidate, without_samples(verdict));
  first_.emplace(prepared.fingerprint, trial);
  if (!prepared.object.empty()) first_.emplace(prepared.object, trial);
  outcome_.count(verdict);
  if (verdict.right && verdict.faster) outcome_.accepted.push_back({trial, prepared.candidate, verdict});
  const search::Trial* best = search_.best();
  progress_.trial({outcome_.counts.total, prepared.candidate.name, without_samples(verdict),
                   std::holds_alternative<Replayed>(prepared.outcome),
                   best ? best->verdict.measurement.speedup.median : 1.0, limits_.trials});
}

}  // namespace hone::tune
