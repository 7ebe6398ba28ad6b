#include "tool/tune/trial_judge.h"

#include <algorithm>
#include <chrono>

#include "cache/digest.h"

namespace hone::tune {

TrialJudge::TrialJudge(Judge& judge, Parallel parallel, std::stop_token stop, Post post, Profile profile)
    : judge_(judge),
      ending_(stop),
      stop_(ending_.token()),
      post_(std::move(post)),
      profile_(std::move(profile)),
      judging_(parallel.judgements),
      compiling_(parallel.compiles) {}

TrialJudge::~TrialJudge() {
  ending_.stop();
}

std::variant<evaluate::Objects, Verdict, Error> TrialJudge::prepare(const std::string& source) {
  if (auto refused = judge_.gate(source)) return std::move(*refused);
  auto compiled = judge_.compile(source, stop_);
  if (!compiled) return compiled.error();
  if (auto* objects = std::get_if<evaluate::Objects>(&*compiled)) return std::move(*objects);
  return std::move(std::get<Verdict>(*compiled));
}

void TrialJudge::compile(unsigned request, std::string source) {
  compiling_.add([this, request, source = std::move(source)] {
    if (stop_.stop_requested()) return;
    Compiled compiled{request, "", prepare(source)};
    if (const auto* objects = std::get_if<evaluate::Objects>(&compiled.outcome))
      compiled.object = cache::sha256(objects->plain);
    if (!stop_.stop_requested()) post_(std::move(compiled));
  });
}

void TrialJudge::judge(unsigned request, Proposal proposal, evaluate::Objects objects, evaluate::AcceptanceRule rule,
                       double tuning) {
  judging_.add(
      [this, request, proposal = std::move(proposal), objects = std::move(objects), rule = std::move(rule), tuning] {
        if (stop_.stop_requested()) return;
        Judged judged = proposal.tunables.empty()
                            ? Judged{request, proposal.candidate, {}, judge_.run(objects, rule, stop_)}
                            : tune(request, proposal, objects, rule, tuning);
        if (profile_ && judged.verdict && judged.verdict->right && !stop_.stop_requested())
          judged.profile = profile_(judged.candidate, *judged.verdict);
        if (!stop_.stop_requested()) post_(std::move(judged));
      });
}

Judged TrialJudge::tune(unsigned request, const Proposal& proposal, evaluate::Objects objects,
                        const evaluate::AcceptanceRule& rule, double longest) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(longest);
  Judged best{request, proposal.candidate, {}, failure("no choice of the tunables was judged")};
  search::TunableSearch search(proposal.tunables, {});
  double seconds = 0;
  for (auto trial = search.ask(); trial && !stop_.stop_requested(); trial = search.ask()) {
    if (best.verdict && std::chrono::steady_clock::now() > end) break;
    const bool is_default = trial->choice == search::default_choice(proposal.tunables);
    const Candidate candidate = proposal.chosen(trial->choice);
    auto prepared = is_default ? decltype(prepare("")){objects} : prepare(candidate.source);
    Result<Verdict> verdict = failure("not judged");
    if (auto* compiled = std::get_if<evaluate::Objects>(&prepared))
      verdict = judge_.run(*compiled, rule, stop_);
    else if (auto* refused = std::get_if<Verdict>(&prepared))
      verdict = *refused;
    else
      verdict = tl::unexpected(std::get<Error>(prepared));
    if (!verdict) {
      best.verdict = verdict;
      return best;
    }
    seconds += verdict->seconds;
    const double fitness = verdict->right ? verdict->measurement.speedup.median : 0;
    const bool better = !best.verdict ||
                        (fitness > 0 && fitness > (best.verdict->right ? best.verdict->measurement.speedup.median : 0));
    if (better) best = {request, candidate, trial->choice, *verdict};
    search.tell(*trial, fitness);
  }
  if (best.verdict) best.verdict->seconds = seconds;
  return best;
}

evaluate::AcceptanceRule trial_rule(double longest_look, bool something_accepted) {
  evaluate::AcceptanceRule rule;
  while (rule.looks.size() > 1 && (rule.looks.back() > longest_look || (something_accepted && rule.looks.back() > 2)))
    rule.looks.pop_back();
  rule.shares.resize(std::min(rule.shares.size(), rule.looks.size()));
  return rule;
}

}  // namespace hone::tune
