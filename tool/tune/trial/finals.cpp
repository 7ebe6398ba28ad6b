#include "tool/tune/trial/finals.h"

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tool/lock/file_fit.h"
#include "tool/statistics/statistics.h"
#include "tool/tune/trial/play_off.h"

namespace hone::tune {
namespace {

constexpr std::size_t most_measured = 3;  // afresh: the fourth was never far ahead

// Is it a gain even for the best of so many trials? At whichever look its trial ended, and by its samples alone.
bool holds_among(const Verdict& verdict, unsigned trials) {
  constexpr double level = 0.01;  // of a whole search, upwards
  constexpr unsigned most_looks = 4;
  statistics::AcceptanceRule rule;
  rule.looks = {verdict.measurement.seconds};
  rule.shares.clear();
  rule.confidence = 1 - 2 * level / (most_looks * std::max(trials, 1u));
  std::vector<statistics::PairedSamples> samples;
  for (const ProblemMeasurement& problem : verdict.measurement.problems)
    samples.push_back({.weight = problem.weight,
                       .reference = problem.reference_samples,
                       .candidate = problem.candidate_samples,
                       .common_error = problem.common_error});
  return statistics::estimate(samples, rule, 0).decision == statistics::Decision::faster;
}

}  // namespace

std::size_t first_certain(const std::vector<Accepted>& accepted, std::size_t from, unsigned trials) {
  while (from < accepted.size() && !holds_among(accepted[from].verdict, trials)) ++from;
  return from;
}

Finals::Finals(const TuningTask& task, Evaluator& evaluator, report::Progress& progress, const Deadline& whole,
               double kept)
    : task_(task), evaluator_(evaluator), progress_(progress), whole_(whole), kept_(kept) {}

Winner Finals::run(SearchOutcome& found, const Reduce& reduce) {
  order_the_best(found);
  reduce_the_best(found, reduce);
  return confirm(found);
}

void Finals::order_the_best(SearchOutcome& found) {
  if (found.error || found.accepted.empty()) return;
  const Candidate first = found.accepted.front().candidate;
  std::map<std::string, compile::Objects> compiled;
  const auto objects_of = [&](const std::string& source) -> const compile::Objects* {
    if (const auto known = compiled.find(source); known != compiled.end()) return &known->second;
    auto made = evaluator_.compile_plain(source, whole_.token());
    auto* objects = made ? std::get_if<compile::Objects>(&*made) : nullptr;
    return objects ? &compiled.emplace(source, std::move(*objects)).first->second : nullptr;
  };
  play_off(found.accepted, [&](const std::string& leader, const std::string& other) -> std::optional<Speedup> {
    if (whole_.seconds_left() <= kept_) return std::nullopt;
    const compile::Objects *first_objects = objects_of(leader), *second_objects = objects_of(other);
    if (!first_objects || !second_objects) return std::nullopt;
    return evaluator_.compare(*first_objects, *second_objects, whole_.token());
  });
  if (const Candidate& best = found.accepted.front().candidate; best.source != first.source)
    progress_.note(lines_to_read(best.source) < lines_to_read(first.source)
                       ? fmt::format("{} is about as fast as {}, and shorter", best.name, first.name)
                       : fmt::format("{} is faster than {}, timed beside each other", best.name, first.name));
}

void Finals::reduce_the_best(SearchOutcome& found, const Reduce& reduce) {
  if (!reduce || found.error || found.accepted.empty() || whole_.stopped()) return;
  std::optional<Accepted> reduced = reduce(found.accepted.front());
  if (!reduced || reduced->candidate.source == found.accepted.front().candidate.source) return;
  if (reduced->reduction && reduced->reduction->lines < reduced->reduction->lines_found)
    progress_.note(fmt::format("what gains nothing is left out: {} lines in place of {}", reduced->reduction->lines,
                               reduced->reduction->lines_found));
  found.accepted.insert(found.accepted.begin(), std::move(*reduced));
}

// "" where it does. Of what was compiled for one device alone the project's compiler is asked, too, about its whole
// file, for all architectures that the project names.
Result<std::string> Finals::why_not_in_its_file(const std::string& source) {
  std::string clash = lock::misfit(task_.unit, task_.spec, source, task_.options.frontend);
  if (!clash.empty() || !evaluator_.leaves_architectures_out()) return clash;
  const auto text =
      lock::applied_text(task_.unit, task_.spec, source, evaluator_.architecture(), task_.options.frontend);
  if (!text) return text.error().message();
  HONE_TRY(const std::string said, evaluator_.complaint(*text, source, whole_.token()));
  return said.empty() ? said : "for all architectures of the project it does not compile there: " + said;
}

// The gate first: it takes milliseconds, and this text may come from anywhere.
Result<Verdict> Finals::judge_afresh(const std::string& source) {
  if (auto refused = evaluator_.gate(source)) return std::move(*refused);
  HONE_TRY(std::string clash, why_not_in_its_file(source));
  if (clash.empty()) return evaluator_.judge(source, whole_.token(), bundle::Depth::held_out);
  return refusal(Stage::compile, "it does not fit into its file: " + clash, DiagnosticCode::candidate_misfit);
}

// A choice by size sends small sizes to the original, and those are most of what the judge tries: what stands behind it
// is verified on them by itself.
Result<Verdict> Finals::measured(const Candidate& candidate) {
  if (!candidate.behind_choice.empty()) {
    HONE_TRY(Verdict behind, evaluator_.verify_afresh(candidate.behind_choice, whole_.token()));
    if (!behind.right) {
      behind.reason = "without its choice by size: " + behind.reason;
      return behind;
    }
  }
  return evaluator_.judge(candidate.source, whole_.token(), bundle::Depth::held_out);
}

// Wrong or no longer faster at the second look: the next best.
Winner Finals::confirm(SearchOutcome& found) {
  const bool reduced = !found.accepted.empty() && found.accepted.front().reduction.has_value();
  const std::size_t most = std::min(found.accepted.size(), most_measured);
  std::size_t next = 0;                // what has not failed to hold
  std::optional<std::size_t> fitting;  // known to compile in its file
  for (std::size_t i = 0; i < most && !whole_.stopped() && !found.error; ++i) {
    const Candidate& candidate = found.accepted[i].candidate;
    const auto clash = why_not_in_its_file(candidate.source);
    if (whole_.stopped()) break;
    if (!clash) {
      found.error = clash.error();
      break;
    }
    if (!clash->empty()) {
      progress_.note(fmt::format("{} does not fit into its file: {}", candidate.name, *clash));
      next = i + 1;
      continue;
    }
    fitting = i;
    const auto verdict = measured(candidate);
    if (whole_.stopped()) break;
    if (!verdict) {
      found.error = verdict.error();
    } else if (verdict->right && verdict->faster) {
      return {i, *verdict, ""};
    } else {
      progress_.note(fmt::format("{} did not hold when it was measured again: {}", candidate.name,
                                 verdict->reason.empty() ? "not faster" : verdict->reason));
      next = i + 1;
    }
  }
  if (found.accepted.empty() || (!whole_.stopped() && !found.error)) return {};
  // No second look is possible any more: the first must do, for the best candidate of which it leaves no doubt. What is
  // reduced had no first look.
  if (reduced && next == 0) next = 1;
  next = first_certain(found.accepted, next, found.counts.total);
  if (next == found.accepted.size()) return {};
  // What was judged in its unit alone, or compiled for one device alone, is not locked on that.
  if (fitting != next && why_not_in_its_file(found.accepted[next].candidate.source).value_or("nobody knows") != "")
    return {};
  return {next, std::nullopt,
          found.error ? "locked as the search measured it: " + found.error->message()
                      : "stopped before it was measured afresh: locked as the search measured it"};
}

}  // namespace hone::tune
