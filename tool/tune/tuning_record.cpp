// What a tuning leaves: the record of its winner, with who found it and how, and the figures of its result.
#include <fmt/format.h>

#include "cache/bound_source.h"
#include "cache/digest.h"
#include "tool/lock/judged_on.h"
#include "tool/tune/tuning.h"

namespace hone::tune {
namespace {

std::vector<lock::Ancestor> lineage_of(const Accepted& accepted, std::vector<search::Trial> trials) {
  if (accepted.trial != untold_trial) return lock::lineage(trials, accepted.trial);
  const auto next = static_cast<unsigned>(trials.size());
  trials.push_back({next, accepted.candidate, accepted.verdict, std::nullopt});
  return lock::lineage(trials, next);
}

}  // namespace

lock::Record Tuning::make_record() const {
  lock::Record record;
  record.key = task_.spec.key;
  record.kernel = task_.spec.name;
  record.signature = task_.spec.signature;
  record.target = task_.spec.target;
  record.proposer = task_.settings.proposer;
  record.strategy = task_.settings.replayed ? "replay" : task_.settings.strategy.name;
  record.seed = task_.options.seed;
  record.compiler = evaluator_->compiler();
  record.device =
      is_judged_here(task_) || machine_.empty() ? lock::device_name(task_.spec, is_judged_here(task_)) : machine_;
  // Without its words: they name machines and folders.
  record.executor = task_.options.executor.substr(0, task_.options.executor.find(':'));
  record.trials = found_.counts;
  record.unfinished = ended_early();
  record.seconds = seconds();
  record.measured_on = architecture_;
  record.evidence = fmt::format("{}: {}, {} trials", lock::verified_on(task_.spec, architecture_), record.compiler,
                                found_.counts.total);
  if (!winner_) return record;

  const Accepted& accepted = found_.accepted[*winner_];
  const Candidate& winner = candidate(*winner_);
  const Verdict& counts = fresh_ ? *fresh_ : accepted.verdict;
  record.variant = cache::sha256(cache::bound_blob(winner.source, task_.spec.key));
  record.name = winner.name;
  record.thought = winner.thought;
  record.model = accepted.provenance.model;
  record.prompt = accepted.provenance.prompt;
  record.reply = accepted.provenance.reply;
  record.speedup = counts.measurement.speedup;
  record.measured_on = counts.architecture;
  record.evidence = lock::evidence(counts, task_.spec, record.compiler);
  if (search_) record.lineage = lineage_of(accepted, search_->trials());
  record.search = accepted.verdict;
  record.final = fresh_;
  record.reduction = accepted.reduction;
  if (accepted.trial == 0) take_origin(record);
  return record;
}

// Who found the variant that is not this search's, as far as the store still knows.
std::optional<lock::Record> Tuning::origin_of(const std::string& source) const {
  for (const VerifiedVariant& one : known_.verified)
    if (one.variant.source == source) return one.variant.origin;
  auto earlier = ledger_.recorded(architecture_);
  const bool same = earlier && earlier->variant == cache::sha256(cache::bound_blob(source, task_.spec.key));
  return same ? std::move(earlier) : std::nullopt;
}

void Tuning::take_origin(lock::Record& record) const {
  record.proposer = "an earlier tuning";
  record.strategy = "unknown";
  auto earlier = origin_of(candidate(*winner_).source);
  if (!earlier) return;
  record.name = std::move(earlier->name);
  record.thought = std::move(earlier->thought);
  record.proposer = std::move(earlier->proposer);
  record.strategy = std::move(earlier->strategy);
  record.model = std::move(earlier->model);
  record.prompt = std::move(earlier->prompt);
  record.reply = std::move(earlier->reply);
  record.seed = earlier->seed;
  record.reduction = std::move(earlier->reduction);
  record.lineage = std::move(earlier->lineage);
}

void Tuning::take_figures(const lock::Record& record) {
  result_.accepted = record.variant.has_value();
  result_.variant = record.variant.value_or("");
  result_.speedup = record.speedup;
}

void Tuning::take_figures(const cache::LockEntry& entry) {
  result_.accepted = entry.variant.has_value();
  result_.variant = entry.variant.value_or("");
  result_.speedup = {entry.speedup, entry.speedup_low, entry.speedup_high};
}

}  // namespace hone::tune
