#include "tool/tune/model/rejudge.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/trial/mailbox.h"
#include "tool/tune/trial/trial_bench.h"

namespace hone::tune {
namespace {

constexpr auto pulse = std::chrono::milliseconds(500);
constexpr std::size_t lookahead = 4;  // candidates being compiled or judged, at least

class Again {
 public:
  Again(const Played& played, Evaluator& judge, Journal& journal, report::Progress& progress, SearchLimits limits,
        Parallel parallel, Deadline& deadline, const std::function<void(double)>& judged)
      : journal_(journal),
        progress_(progress),
        limits_(limits),
        deadline_(deadline),
        judged_(judged),
        ahead_(std::max<std::size_t>(lookahead, 2 * parallel.judgments)),
        bench_(judge, parallel, deadline.token(), [this](auto answer) {
          std::visit([this](auto& message) { mailbox_.post(std::move(message)); }, answer);
        }) {
    for (const ScriptedTrial& trial : played.trials)
      if (!trial.told.duplicate_of && trials_.size() < limits.trials) trials_.push_back(&trial);
  }

  SearchOutcome run() {
    while (at_ < trials_.size() && !deadline_.stopped() && !outcome_.error) {
      for (; sent_ < trials_.size() && sent_ < at_ + ahead_; ++sent_) begin(sent_);
      settle();
      if (at_ == trials_.size() || outcome_.error) break;
      if (auto message = mailbox_.wait(deadline_.token(), pulse)) std::visit([this](auto& m) { handle(m); }, *message);
    }
    outcome_.complete = at_ == trials_.size();
    if (differences_ > 0)
      progress_.note(fmt::format("{} of {} candidates were judged otherwise than when they were recorded", differences_,
                                 outcome_.counts.total));
    outcome_.sort();
    return std::move(outcome_);
  }

 private:
  void begin(std::size_t index) {
    const Proposal& proposal = trials_[index]->proposal;
    if (proposal.written.empty()) {  // the reply held no code
      verdicts_[index] = trials_[index]->told.verdict;
      return;
    }
    const Journal::Entry* known =
        proposal.tunables.empty() ? journal_.find(frontend::fingerprint(proposal.candidate.source)) : nullptr;
    if (known) {
      verdicts_[index] = known->verdict;
    } else {
      bench_.compile(static_cast<unsigned>(index), proposal.candidate.source);
    }
  }

  void handle(Compiled& message) {
    if (auto* error = std::get_if<Error>(&message.outcome)) {
      outcome_.error = std::move(*error);
    } else if (auto* verdict = std::get_if<Verdict>(&message.outcome)) {
      conclude(message.request, trials_[message.request]->proposal.candidate, std::move(*verdict));
    } else {
      bench_.judge(message.request, trials_[message.request]->proposal,
                   std::move(std::get<compile::Objects>(message.outcome)),
                   trial_rule(limits_.longest_look, !outcome_.accepted.empty()), limits_.longest_tuning);
    }
  }

  void handle(Judged& message) {
    if (!message.verdict) {
      outcome_.error = message.verdict.error();
      return;
    }
    judged_(message.verdict->seconds);
    conclude(message.request, message.candidate, std::move(*message.verdict));
  }

  void conclude(unsigned index, const Candidate& candidate, Verdict verdict) {
    const auto written = journal_.append(frontend::fingerprint(candidate.source), candidate.name,
                                         cache::sha256(candidate.source), "", verdict);
    if (!written) outcome_.error = written.error();
    chosen_[index] = candidate;
    verdicts_[index] = std::move(verdict);
  }

  // In order, as far as they are known.
  void settle() {
    for (auto known = verdicts_.find(at_); known != verdicts_.end(); known = verdicts_.find(++at_)) {
      const Verdict& verdict = known->second;
      const ScriptedTrial& trial = *trials_[at_];
      const auto chosen = chosen_.find(at_);
      const Candidate& candidate = chosen == chosen_.end() ? trial.proposal.candidate : chosen->second;
      outcome_.count(verdict);
      differences_ += verdict.right != trial.told.verdict.right;
      if (verdict.right && verdict.faster) {
        outcome_.accepted.push_back({trial.trial, candidate, verdict, trial.provenance});
        best_ = std::max(best_, verdict.measurement.speedup.median);
      }
      progress_.trial({outcome_.counts.total, candidate.name, without_samples(verdict), chosen == chosen_.end(), best_,
                       static_cast<unsigned>(trials_.size())});
    }
  }

  Journal& journal_;
  report::Progress& progress_;
  SearchLimits limits_;
  Deadline& deadline_;
  const std::function<void(double)>& judged_;
  std::size_t ahead_;
  std::vector<const ScriptedTrial*> trials_;
  std::size_t at_ = 0, sent_ = 0;
  std::map<std::size_t, Verdict> verdicts_;
  std::map<std::size_t, Candidate> chosen_;
  unsigned differences_ = 0;
  double best_ = 1;
  SearchOutcome outcome_;
  Mailbox<std::variant<Compiled, Judged>> mailbox_;
  TrialBench bench_;  // last: it posts into the mailbox
};

}  // namespace

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

void prepend_seeds(const RecordingHeader& header, Played& played) {
  std::vector<ScriptedTrial> seeds;
  for (const auto& seed : header.seeds) {
    ScriptedTrial trial;
    trial.trial = static_cast<unsigned>(seeds.size()) + 1;
    trial.proposal.candidate = seed.candidate;
    trial.proposal.written = seed.candidate.source;
    trial.told.verdict = seed.verdict;
    seeds.push_back(std::move(trial));
  }
  played.trials.insert(played.trials.begin(), std::make_move_iterator(seeds.begin()),
                       std::make_move_iterator(seeds.end()));
}

SearchOutcome judge_again(const Played& played, Evaluator& judge, Journal& journal, report::Progress& progress,
                          SearchLimits limits, Parallel parallel, Deadline& deadline,
                          const std::function<void(double)>& judged) {
  return Again(played, judge, journal, progress, limits, parallel, deadline, judged).run();
}

}  // namespace hone::tune
