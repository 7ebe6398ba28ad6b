#include "tool/tune/trial/trial_bench.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>

#include "cache/digest.h"

namespace hone::tune {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for its turn, which ends with it.
class Turn {
 public:
  explicit Turn(std::counting_semaphore<>& turns) : turns_(turns) { turns_.acquire(); }
  ~Turn() { turns_.release(); }
  Turn(const Turn&) = delete;

 private:
  std::counting_semaphore<>& turns_;
};

double fitness_of(const Verdict& verdict) {
  return verdict.right ? verdict.measurement.speedup.median : 0;
}

// A choice that was asked for.
struct Choice {
  search::TunableTrial trial;
  Candidate candidate;
  std::future<Result<Verdict>> verdict;
};

}  // namespace

TrialBench::TrialBench(Evaluator& judge, Parallel parallel, std::stop_token stop, Post post, Profile profile)
    : judge_(judge),
      ending_(stop),
      stop_(ending_.token()),
      post_(std::move(post)),
      profile_(std::move(profile)),
      judgments_(std::max(parallel.judgments, 1u)),
      executor_(static_cast<std::ptrdiff_t>(judgments_)),
      compiler_(std::max(parallel.compiles, 1u)),
      judging_(parallel.judgments),
      compiling_(parallel.compiles) {}

TrialBench::~TrialBench() {
  ending_.stop();
}

std::variant<compile::Objects, Verdict, Error> TrialBench::prepare(const std::string& source, std::stop_token stop) {
  const Turn turn(compiler_);
  if (auto refused = judge_.gate(source)) return std::move(*refused);
  auto compiled = judge_.compile_for_trial(source, stop);
  if (!compiled) return compiled.error();
  if (auto* objects = std::get_if<compile::Objects>(&*compiled)) return std::move(*objects);
  return std::move(std::get<Verdict>(*compiled));
}

Result<Verdict> TrialBench::run(const compile::Objects& objects, const statistics::AcceptanceRule& rule,
                                std::stop_token stop) {
  const Turn turn(executor_);
  if (stop.stop_requested()) return failure("the judgment was stopped");
  return judge_.run(objects, rule, stop);
}

Result<Verdict> TrialBench::run(const std::optional<compile::Objects>& objects, const std::string& source,
                                const statistics::AcceptanceRule& rule, std::stop_token stop) {
  if (objects) return run(*objects, rule, stop);
  auto prepared = prepare(source, stop);
  if (auto* error = std::get_if<Error>(&prepared)) return tl::unexpected(std::move(*error));
  if (auto* refused = std::get_if<Verdict>(&prepared)) return std::move(*refused);
  return run(std::get<compile::Objects>(prepared), rule, stop);
}

void TrialBench::compile(unsigned request, std::string source) {
  compiling_.add([this, request, source = std::move(source)] {
    if (stop_.stop_requested()) return;
    Compiled compiled{request, "", prepare(source, stop_)};
    if (const auto* objects = std::get_if<compile::Objects>(&compiled.outcome))
      compiled.object = cache::sha256(objects->plain);
    if (!stop_.stop_requested()) post_(std::move(compiled));
  });
}

void TrialBench::judge(unsigned request, Proposal proposal, compile::Objects objects, statistics::AcceptanceRule rule,
                       double tuning) {
  judging_.add(
      [this, request, proposal = std::move(proposal), objects = std::move(objects), rule = std::move(rule), tuning] {
        if (stop_.stop_requested()) return;
        Judged judged = proposal.tunables.empty() ? Judged{request, proposal.candidate, {}, run(objects, rule, stop_)}
                                                  : tune(request, proposal, objects, rule, tuning);
        if (profile_ && judged.verdict && judged.verdict->right && !stop_.stop_requested())
          judged.profile = profile_(judged.candidate, *judged.verdict);
        if (!stop_.stop_requested()) post_(std::move(judged));
      });
}

// What is asked depends on the verdicts and on how many are out alone: each is told in the order of asking, and
// followed by the next question.
Judged TrialBench::tune(unsigned request, const Proposal& proposal, const compile::Objects& objects,
                        const statistics::AcceptanceRule& rule, double longest) {
  const auto end = Clock::now() + std::chrono::duration<double>(longest);
  const auto default_choice = search::default_choice(proposal.tunables);
  search::TunableSearch search(proposal.tunables, {});
  EitherStop ending(stop_);
  std::deque<Choice> out;
  const auto send = [&](const search::TunableTrial& trial) {
    Candidate candidate = proposal.chosen(trial.choice);
    const auto compiled = trial.choice == default_choice ? std::optional(objects) : std::nullopt;
    auto verdict =
        std::async(std::launch::async, [this, compiled, source = candidate.source, rule, stop = ending.token()] {
          return run(compiled, source, rule, stop);
        });
    out.push_back({trial, std::move(candidate), std::move(verdict)});
  };
  const auto ask = [&](bool first) {
    while (out.size() < judgments_ && !stop_.stop_requested() && (first || Clock::now() <= end)) {
      const auto trial = search.ask();
      if (!trial) return;
      send(*trial);
    }
  };

  Judged best{request, proposal.candidate, {}, failure("no choice of the tunables was judged")};
  double seconds = 0;
  for (ask(true); !out.empty(); ask(false)) {
    Choice told = std::move(out.front());
    out.pop_front();
    Result<Verdict> verdict = told.verdict.get();
    if (!verdict) {
      ending.stop();  // the others
      best.verdict = std::move(verdict);
      return best;
    }
    seconds += verdict->seconds;
    const double fitness = fitness_of(*verdict);
    if (!best.verdict || fitness > fitness_of(*best.verdict))
      best = {request, std::move(told.candidate), told.trial.choice, std::move(*verdict)};
    search.tell(told.trial, fitness);
  }
  if (best.verdict) best.verdict->seconds = seconds;
  return best;
}

statistics::AcceptanceRule trial_rule(double longest_look, bool something_accepted) {
  statistics::AcceptanceRule rule;
  while (rule.looks.size() > 1 && (rule.looks.back() > longest_look || (something_accepted && rule.looks.back() > 2)))
    rule.looks.pop_back();
  rule.shares.resize(std::min(rule.shares.size(), rule.looks.size()));
  return rule;
}

}  // namespace hone::tune
