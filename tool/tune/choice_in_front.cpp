#include "tool/tune/choice_in_front.h"

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/model/mixed_gain.h"
#include "tool/search/genome.h"
#include "tool/transforms/workshop.h"

namespace hone::tune {
namespace {

// Of a trial that need not wait for others.
Result<Verdict> judged(Evaluator& evaluator, const std::string& source, std::string& object, std::stop_token stop) {
  if (auto refused = evaluator.gate(source)) return std::move(*refused);
  HONE_TRY(auto compiled, evaluator.compile_for_trial(source, stop));
  if (auto* refused = std::get_if<Verdict>(&compiled)) return std::move(*refused);
  const auto& objects = std::get<compile::Objects>(compiled);
  object = cache::sha256(objects.plain);
  statistics::AcceptanceRule rule;
  rule.looks = {0.1, 0.5, 2};
  rule.shares = {0.2, 0.4, 0.4};
  return evaluator.run(objects, rule, stop);
}

}  // namespace

std::optional<Accepted> with_choice(const TuningTask& task, const Accepted& mixed, std::stop_token stop) {
  const MixedGain gain = mixed_gain(mixed.verdict.measurement);
  const auto workshop = frontend::Workshop::open(task.spec, task.unit.command, task.options.frontend);
  if (!workshop) return std::nullopt;
  Accepted chosen = mixed;
  const Gene gene{choice_by_size, 0, gain.slower};
  // What was reduced is no longer the text that its genome makes.
  if (chosen.candidate.genome.empty() || chosen.reduction) {
    const auto text = (*workshop)->with_choice(mixed.candidate.source, gain.slower);
    if (!text) return std::nullopt;
    chosen.candidate.source = *text;
    if (!chosen.candidate.genome.empty()) chosen.candidate.genome.push_back(gene);
  } else {
    chosen.candidate.genome.push_back(gene);
    frontend::Rendered rendered = (*workshop)->render(chosen.candidate.genome, std::move(stop));
    if (rendered.applied != chosen.candidate.genome) return std::nullopt;
    chosen.candidate.source = std::move(rendered.source);
  }
  chosen.candidate.name = mixed.candidate.genome.empty() ? mixed.candidate.name + " with " + search::describe({gene})
                                                         : search::describe(chosen.candidate.genome);
  chosen.candidate.behind_choice = mixed.candidate.source;
  if (chosen.reduction) chosen.reduction->lines = lines_to_read(chosen.candidate.source);
  return chosen;
}

std::optional<Accepted> choice_in_front(const TuningTask& task, Evaluator& evaluator, Journal& journal,
                                        const Accepted& mixed, const Deadline& whole) {
  std::optional<Accepted> chosen = with_choice(task, mixed, whole.token());
  if (!chosen) return std::nullopt;
  const std::string fingerprint = frontend::fingerprint(chosen->candidate.source);
  if (const Journal::Entry* known = journal.find(fingerprint)) {
    if (!known->verdict.right || !known->verdict.faster) return std::nullopt;
    chosen->verdict = known->verdict;
    return chosen;
  }
  std::string object;
  auto verdict = judged(evaluator, chosen->candidate.source, object, whole.token());
  if (!verdict || whole.stopped() ||
      !journal.append(fingerprint, chosen->candidate.name, cache::sha256(chosen->candidate.source), object, *verdict))
    return std::nullopt;
  chosen->verdict = std::move(*verdict);
  return chosen;
}

}  // namespace hone::tune
