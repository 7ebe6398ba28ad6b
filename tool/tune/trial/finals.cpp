#include "tool/tune/trial/finals.h"

#include <algorithm>
#include <future>
#include <map>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tool/base/either_stop.h"
#include "tool/lock/file_fit.h"
#include "tool/tune/trial/play_off.h"

namespace hone::tune {

Finals::Finals(const TuningTask& task, Evaluator& evaluator, report::Progress& progress, const Deadline& whole,
               double kept)
    : task_(task), evaluator_(evaluator), progress_(progress), whole_(whole), kept_(kept) {}

Winner Finals::run(SearchOutcome& found, const Reduce& reduce, const Choose& choose) {
  order_the_best(found);
  reduce_the_best(found, reduce);
  return confirm(found, {.misfit = [this](const std::string& source) { return why_not_in_its_file(source); },
                         .measured = [this](const Candidate& candidate) { return measured(candidate); },
                         .with_choice = choose,
                         .stopped = [this] { return whole_.stopped(); },
                         .note = [this](const std::string& line) { progress_.note(line); }});
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

// Of what was compiled for one device alone the project's compiler is asked, too, about its whole
// file, for all architectures that the project names.
Result<Misfit> Finals::why_not_in_its_file(const std::string& source) {
  std::string clash = lock::misfit(task_.unit, task_.spec, source, task_.options.frontend);
  if (!clash.empty() || !evaluator_.leaves_architectures_out()) return Misfit{std::move(clash)};
  const auto text =
      lock::applied_text(task_.unit, task_.spec, source, evaluator_.architecture(), task_.options.frontend);
  if (!text) return Misfit{text.error().message()};
  HONE_TRY(const std::string said, evaluator_.complaint(*text, source, whole_.token()));
  if (said.empty()) return Misfit{};
  return Misfit{"for all architectures of the project it does not compile there: " + said, true};
}

// The gate first: it takes milliseconds, and this text may come from anywhere.
Result<Verdict> Finals::judge_afresh(const std::string& source) {
  if (auto refused = evaluator_.gate(source)) return std::move(*refused);
  HONE_TRY(const Misfit clash, why_not_in_its_file(source));
  if (clash.why.empty()) return evaluator_.judge(source, whole_.token(), bundle::Depth::held_out);
  return refusal(Stage::compile, "it does not fit into its file: " + clash.why, DiagnosticCode::candidate_misfit);
}

// A choice by size sends small sizes to the original, and those are most of what the judge tries: what stands behind it
// is verified on them by itself. Beside the choice's own judgment, where that is not disturbed: a device is held by
// whoever times.
Result<Verdict> Finals::measured(const Candidate& candidate) {
  EitherStop stop(whole_.token());
  const auto judge = [&] { return evaluator_.judge(candidate.source, stop.token(), bundle::Depth::held_out); };
  const auto verify_behind = [&]() -> Result<Verdict> {
    HONE_TRY(Verdict verdict, evaluator_.verify_afresh(candidate.behind_choice, stop.token()));
    if (!verdict.right) verdict.reason = "without its choice by size: " + verdict.reason;
    return verdict;
  };
  if (candidate.behind_choice.empty()) return judge();
  if (!task_.spec.cuda) {
    HONE_TRY(Verdict behind, verify_behind());
    return behind.right ? judge() : Result<Verdict>(std::move(behind));
  }
  auto beside = std::async(std::launch::async, verify_behind);
  Result<Verdict> verdict = judge();
  if (!verdict || !verdict->right || !verdict->faster) {
    stop.stop();
    return verdict;
  }
  HONE_TRY(Verdict behind, beside.get());
  return behind.right ? std::move(verdict) : Result<Verdict>(std::move(behind));
}

}  // namespace hone::tune
