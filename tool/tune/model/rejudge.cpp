#include "tool/tune/model/rejudge.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tool/tune/model/recording.h"

namespace hone::tune {

std::string transcript(const Played& played) {
  std::string text;
  const auto add = [&](const nlohmann::json& line) {
    text += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  };
  for (const Asked& asked : played.asked) {
    nlohmann::json prompt = nlohmann::json::array();
    for (const auto& message : asked.prompt) prompt.push_back({{"role", message.role}, {"text", message.text}});
    add({{"ask", asked.request}, {"operator", asked.operator_name}, {"digest", asked.digest}, {"prompt", prompt}});
  }
  for (const ScriptedTrial& trial : played.trials)
    add({{"candidate", trial.trial},
         {"request", trial.told.request},
         {"name", trial.proposal.candidate.name},
         {"source", trial.proposal.candidate.source}});
  return text;
}

std::vector<ScriptedTrial> trials_to_judge(const RecordingHeader& header, const Played& played, unsigned most) {
  std::vector<ScriptedTrial> trials;
  for (const auto& seed : header.seeds) {
    ScriptedTrial trial;
    trial.trial = static_cast<unsigned>(trials.size()) + 1;
    trial.proposal.candidate = seed.candidate;
    trial.proposal.written = seed.candidate.source;
    trial.told.verdict = seed.verdict;
    trials.push_back(std::move(trial));
  }
  for (const ScriptedTrial& trial : played.trials)
    if (!trial.told.duplicate_of) trials.push_back(trial);
  if (trials.size() > most) trials.resize(most);
  return trials;
}

Rejudge::Rejudge(std::vector<ScriptedTrial> trials, TrialLine& line) : trials_(std::move(trials)), line_(line) {}

void Rejudge::ask() {
  for (; asked_ < trials_.size() && line_.has_room(); ++asked_) {
    const auto place = static_cast<unsigned>(asked_);
    const ScriptedTrial& trial = trials_[asked_];
    Submission submission{trial.proposal, trial.provenance};
    line_.open(place);
    if (trial.proposal.written.empty())  // the reply held no code
      line_.settle(place, std::move(submission), {.program = "", .verdict = trial.told.verdict, .known = true});
    else
      line_.submit(place, std::move(submission));
  }
}

Result<unsigned> Rejudge::tell(unsigned place, const TrialResult& result) {
  const Verdict& verdict = result.verdict;
  const ScriptedTrial& trial = trials_[place];
  if (trial.opinion) opinions_.judged(*trial.opinion, verdict);
  // Of what was doubted nobody may have known it.
  const bool doubted = trial.opinion && !trial.opinion->right;
  differences_ += !doubted && verdict.right != trial.told.verdict.right;
  if (verdict.right && verdict.faster) best_ = std::max(best_.value_or(1), verdict.measurement.speedup.median);
  return trial.trial;
}

}  // namespace hone::tune
