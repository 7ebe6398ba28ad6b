#include "tool/tune/trial/trial_bench.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>

#include "cache/digest.h"

namespace hone::tune {
namespace {

using Rank = RankedTurns::Rank;

// Other numbers seldom make a candidate twice as fast: one that is slower yet by its own is not worth their compiles.
constexpr double share_worth_tuning = 0.5;

constexpr const char* stopped = "the judgment was stopped";

double fitness_of(const Verdict& verdict) {
  return verdict.right ? verdict.measurement.speedup.median : 0;
}

// Whether a longer look would say nothing that matters: it is accepted, it failed, or it is plainly no faster.
bool is_decided(const Verdict& verdict) {
  return !verdict.right || verdict.faster || verdict.measurement.speedup.high < 1;
}

// Half a second tells most choices of one candidate apart; what it leaves open gets all looks.
statistics::AcceptanceRule rule_on(unsigned rung, statistics::AcceptanceRule rule) {
  constexpr double short_look = 0.5;
  while (rung == 0 && rule.looks.size() > 1 && rule.looks.back() > short_look) rule.looks.pop_back();
  rule.shares.resize(std::min(rule.shares.size(), rule.looks.size()));
  return rule;
}

}  // namespace

// A judgment's place among those of the machine. The only one of a bench has one at once; what comes beside it looks
// now and then whether there is one to spare.
class TrialBench::Place {
 public:
  Place(TrialBench& bench, std::stop_token stop) : bench_(bench) {
    constexpr std::chrono::milliseconds between_looks(50);
    const auto& places = bench_.options_.places;
    std::unique_lock lock(bench_.places_mutex_);
    while (places && bench_.placed_ > 0 && !stop.stop_requested()) {
      if ((turn_ = places->take_spare()).held()) break;
      bench_.place_left_.wait_for(lock, stop, between_looks, [&] { return bench_.placed_ == 0; });
    }
    if (places && bench_.placed_ == 0) turn_ = places->take();
    ++bench_.placed_;
  }
  ~Place() {
    const std::lock_guard lock(bench_.places_mutex_);
    --bench_.placed_;
    bench_.place_left_.notify_all();
  }
  Place(const Place&) = delete;

 private:
  TrialBench& bench_;
  judge::TurnLock turn_;
};

TrialBench::TrialBench(TrialStages& stages, Options options, std::stop_token stop, Post post)
    : stages_(stages),
      options_(std::move(options)),
      ending_(stop),
      stop_(ending_.token()),
      post_(std::move(post)),
      judgments_(std::max(options_.parallel.judgments, 1u)),
      executor_(judgments_),
      compiler_(std::max(options_.parallel.compiles, 1u)),
      tuning_(options_.parallel.judgments, ThreadPool::Rest::worked_off),  // what waits there has a verdict
      judging_(options_.parallel.judgments),
      compiling_(options_.parallel.compiles) {}

TrialBench::~TrialBench() {
  end();
}

void TrialBench::end() {
  stop();
  compiling_.end();
  judging_.end();
  tuning_.end();
}

void TrialBench::accept(double speedup) {
  double known = fastest_;
  while (known < speedup && !fastest_.compare_exchange_weak(known, speedup)) continue;
}

std::optional<Slice::Piece> TrialBench::piece_of_work(std::stop_token stop) {
  return options_.slice ? options_.slice->begin(std::move(stop)) : Slice::Piece(nullptr);
}

TrialBench::Clock::time_point TrialBench::now() const {
  return options_.slice ? options_.slice->now() : Clock::now();
}

std::variant<compile::Objects, Verdict, Error> TrialBench::prepare(const std::string& source, Rank rank,
                                                                   std::stop_token stop) {
  const RankedTurns::Turn turn(compiler_, rank);
  const auto piece = piece_of_work(stop);
  if (!piece) return Error{stopped};
  if (auto refused = stages_.gate(source)) return std::move(*refused);
  auto compiled = stages_.compile_for_trial(source, stop);
  if (!compiled) return compiled.error();
  if (auto* objects = std::get_if<compile::Objects>(&*compiled)) return std::move(*objects);
  return std::move(std::get<Verdict>(*compiled));
}

Result<Verdict> TrialBench::run(const compile::Objects& objects, const statistics::AcceptanceRule& rule, Rank rank,
                                std::stop_token stop) {
  const RankedTurns::Turn turn(executor_, rank);
  const auto piece = piece_of_work(stop);
  const Place place(*this, stop);
  if (!piece || stop.stop_requested()) return failure(stopped);
  auto verdict = stages_.run(objects, rule, stop);
  if (verdict && verdict->right && verdict->faster) accept(verdict->measurement.speedup.median);
  return verdict;
}

TrialBench::Run TrialBench::prepare_and_run(const std::string& source, const statistics::AcceptanceRule& rule,
                                            std::stop_token stop) {
  const auto start = now();
  const auto seconds = [&] { return std::chrono::duration<double>(now() - start).count(); };
  auto prepared = prepare(source, Rank::later, stop);
  if (auto* error = std::get_if<Error>(&prepared)) return {tl::unexpected(std::move(*error)), ""};
  if (auto* refused = std::get_if<Verdict>(&prepared)) return {std::move(*refused), "", seconds()};
  const auto& objects = std::get<compile::Objects>(prepared);
  auto verdict = run(objects, rule, Rank::later, stop);
  return {std::move(verdict), cache::sha256(objects.plain), seconds()};
}

void TrialBench::compile(unsigned place, const Proposal& proposal) {
  compiling_.add([this, place, source = proposal.unchosen().source] {
    if (stop_.stop_requested()) return;
    Compiled compiled{place, "", prepare(source, Rank::first, stop_)};
    if (const auto* objects = std::get_if<compile::Objects>(&compiled.outcome))
      compiled.object = cache::sha256(objects->plain);
    if (!stop_.stop_requested()) post_(std::move(compiled));
  });
}

void TrialBench::judge(unsigned place, Proposal proposal, Compiled compiled) {
  judging_.add([this, place, proposal = std::move(proposal), compiled = std::move(compiled)] {
    if (stop_.stop_requested()) return;
    Judged first = judge_default(place, proposal, compiled);
    if (proposal.tunables.empty() || !is_worth_tuning(first)) return finish(std::move(first));
    tuning_.add([this, proposal, compiled, first = std::move(first)] { finish(tune(proposal, compiled, first)); });
  });
}

// Where something was judged before a stop, the stop does not undo that.
void TrialBench::finish(Judged judged) {
  if (!judged.verdict && stop_.stop_requested()) return;
  if (options_.profile && judged.verdict && judged.verdict->right)
    if (const auto piece = piece_of_work(stop_); piece && !stop_.stop_requested())
      judged.profile = options_.profile(judged.candidate, *judged.verdict);
  post_(std::move(judged));
}

Judged TrialBench::judge_default(unsigned place, const Proposal& proposal, const Compiled& compiled) {
  const bool tunes = !proposal.tunables.empty();
  const auto rule = trial_rule(options_.limits.longest_look, fastest_ > 0);
  auto verdict = run(std::get<compile::Objects>(compiled.outcome), tunes ? rule_on(0, rule) : rule, Rank::first, stop_);
  if (!tunes) return {place, proposal.candidate, {}, compiled.object, std::move(verdict)};
  const search::TunableChoice choice = search::default_choice(proposal.tunables);
  return {place, proposal.chosen(choice), choice, compiled.object, std::move(verdict)};
}

// A default choice that fails may ask for more than there is, where another one does not.
bool TrialBench::is_worth_tuning(const Judged& first) const {
  if (!first.verdict) return false;
  return !first.verdict->right || fitness_of(*first.verdict) >= share_worth_tuning * fastest_;
}

// What is asked depends on the verdicts and on how many are out alone: each is told in the order of asking, and
// followed by the next question.
Judged TrialBench::tune(const Proposal& proposal, const Compiled& compiled, Judged first) {
  struct Choice {
    search::TunableTrial trial;
    Candidate candidate;
    std::future<Run> run;
  };
  const auto end = now() + std::chrono::duration<double>(options_.limits.longest_tuning);
  const auto rule = trial_rule(options_.limits.longest_look, fastest_ > 0);
  search::TunableSearch search(proposal.tunables, {});
  EitherStop ending(stop_);
  std::deque<Choice> out;
  double slowest = 0;  // seconds of a choice, so far
  const auto send = [&](const search::TunableTrial& trial) {
    Candidate candidate = proposal.chosen(trial.choice);
    const bool is_compiled = trial.choice == first.choice;
    auto run_it = [this, &compiled, rule = rule_on(trial.rung, rule), is_compiled, source = candidate.source,
                   stop = ending.token()]() -> Run {
      if (!is_compiled) return prepare_and_run(source, rule, stop);
      return {run(std::get<compile::Objects>(compiled.outcome), rule, Rank::later, stop), compiled.object};
    };
    out.push_back({trial, std::move(candidate), std::async(std::launch::async, std::move(run_it))});
  };
  const auto ask = [&] {
    while (out.size() < judgments_ && !stop_.stop_requested() &&
           (slowest == 0 || now() + std::chrono::duration<double>(slowest) <= end)) {
      const auto trial = search.ask();
      if (!trial) return;
      send(*trial);
    }
  };

  Judged best = std::move(first);
  double seconds = best.verdict->seconds, longest = seconds;
  search.tell(*search.ask(), fitness_of(*best.verdict), is_decided(*best.verdict));
  for (ask(); !out.empty(); ask()) {
    Choice told = std::move(out.front());
    out.pop_front();
    Run run = told.run.get();
    if (!run.verdict) {
      ending.stop();  // the others
      if (!stop_.stop_requested()) best.verdict = std::move(run.verdict);
      break;
    }
    seconds += run.verdict->seconds;
    longest = std::max(longest, run.verdict->seconds);
    slowest = std::max(slowest, run.seconds);
    search.tell(told.trial, fitness_of(*run.verdict), is_decided(*run.verdict));
    if (told.trial.choice == search.best())
      best = {best.place, std::move(told.candidate), told.trial.choice, std::move(run.object), std::move(run.verdict)};
  }
  if (best.verdict) best.verdict->seconds = seconds;
  best.longest = longest;
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
