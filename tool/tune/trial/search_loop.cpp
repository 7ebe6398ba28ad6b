#include "tool/tune/trial/search_loop.h"

#include <algorithm>
#include <chrono>

#include "cache/digest.h"
#include "tool/base/either_stop.h"
#include "tool/tune/trial/trial_bench.h"

namespace hone::tune {
namespace {

bool is_done(const std::future<Result<Verdict>>& verdict) {
  return !verdict.valid() || verdict.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

SearchLoop::SearchLoop(search::Search& search, Evaluator& judge, Journal& journal, Pipeline& pipeline,
                       report::Progress& progress, SearchLimits limits, unsigned judgments, const std::string& original)
    : search_(search),
      judge_(judge),
      journal_(journal),
      pipeline_(pipeline),
      progress_(progress),
      limits_(limits),
      judgments_(judgments),
      first_{{original, 0}, {judge.original_object(), 0}} {}

SearchOutcome SearchLoop::run(Deadline& deadline, const std::function<void(double)>& judged) {
  EitherStop judgments(deadline.token());
  while (!deadline.stopped() && !outcome_.error) {
    fill();
    if (pipeline_.open() == 0 && taken_.empty()) {
      outcome_.complete = true;
      break;
    }
    Taken taken = first_taken(judgments.token());
    if (deadline.stopped()) break;
    const Prepared& prepared = taken.prepared;
    if (const auto first = judged_before(prepared)) {
      first_.emplace(prepared.fingerprint, *first);  // where only the object was known
      search_.tell(prepared.request, prepared.candidate, search_.trials()[*first].verdict, *first);
      continue;
    }
    const auto verdict = verdict_for(taken, deadline.token());
    if (!verdict) {
      if (!deadline.stopped()) outcome_.error = verdict.error();
    } else if (*verdict) {
      conclude(prepared, **verdict);
      judged((*verdict)->seconds);
    }
  }
  judgments.stop();
  taken_.clear();  // waits until they have
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

// As many are asked for whatever is ready when.
void SearchLoop::fill() {
  const std::size_t most = std::max(lookahead, 2 * judgments_);
  const auto open = [this] { return pipeline_.open() + taken_.size(); };
  while (open() < most && outcome_.counts.total + open() < limits_.trials) {
    auto request = search_.ask();
    if (!request) return;
    pipeline_.submit(std::move(*request));
  }
}

void SearchLoop::take(std::stop_token stop) {
  Taken taken{pipeline_.next(), {}};
  if (const auto* objects = std::get_if<compile::Objects>(&taken.prepared.outcome);
      objects && !is_known(taken.prepared))
    taken.verdict = std::async(
        std::launch::async,
        [this, objects = *objects, stop, rule = trial_rule(limits_.longest_look, search_.best() != nullptr)] {
          return judge_.run(objects, rule, stop);
        });
  taken_.push_back(std::move(taken));
}

unsigned SearchLoop::judging() const {
  return static_cast<unsigned>(
      std::ranges::count_if(taken_, [](const Taken& taken) { return !is_done(taken.verdict); }));
}

// What is ready goes to the executor, up to as many as may be there.
void SearchLoop::take_all(std::stop_token stop) {
  while (judging() < judgments_ && pipeline_.ready()) take(stop);
}

// The first in order, with its verdict. What comes behind it is judged while that is waited for.
SearchLoop::Taken SearchLoop::first_taken(std::stop_token stop) {
  if (taken_.empty()) take(stop);
  while (!is_done(taken_.front().verdict)) {
    take_all(stop);
    taken_.front().verdict.wait_for(std::chrono::milliseconds(20));
  }
  Taken first = std::move(taken_.front());
  taken_.pop_front();
  return first;
}

// Judged before, or being judged: what is told first comes first.
bool SearchLoop::is_known(const Prepared& prepared) const {
  return judged_before(prepared) || std::ranges::any_of(taken_, [&](const Taken& other) {
           return other.prepared.fingerprint == prepared.fingerprint ||
                  (!prepared.object.empty() && other.prepared.object == prepared.object);
         });
}

// Nothing: it was cut short, and what was cut short is no verdict. What is in the journal is one, whatever came since.
Result<std::optional<Verdict>> SearchLoop::verdict_for(Taken& taken, std::stop_token stop) {
  const Prepared& prepared = taken.prepared;
  if (const auto* replayed = std::get_if<Replayed>(&prepared.outcome)) return replayed->verdict;
  if (const auto* error = std::get_if<Error>(&prepared.outcome)) return tl::unexpected(*error);
  Verdict verdict;
  if (const auto* failed = std::get_if<Verdict>(&prepared.outcome)) {
    verdict = *failed;
  } else {
    HONE_TRY(verdict, taken.verdict.get());
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
