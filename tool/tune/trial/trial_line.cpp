#include "tool/tune/trial/trial_line.h"

#include <algorithm>

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"

namespace hone::tune {
namespace {

// How often the line looks up without anything having come: a place may be overdue by then.
constexpr auto pulse = std::chrono::milliseconds(500);

// Places at least, so that while one is judged others compile. Two for each judgment: one there, one that is ready.
// More would make a search wait longer for what it asks because of a verdict.
constexpr std::size_t fewest_places = 3, places_a_judgment = 2;

}  // namespace

// One place between open() and its turn.
struct TrialLine::Place {
  enum class Stage { awaited, working, ready };
  Stage stage = Stage::awaited;
  bool passed_up = false;
  Submission submission;         // as it came
  Candidate candidate;           // what the verdict is of
  search::TunableChoice choice;  // the candidate's; empty where nobody chose
  std::string fingerprint;       // of the candidate; "" without code
  std::string object;            // digest; "" where the candidate was not compiled
  std::string profile;
  std::vector<std::string> programs;  // by which it is told from others
  std::optional<unsigned> same_as;    // a place that is judged for this one
  std::optional<Verdict> verdict;     // with samples
  bool known = false;                 // the verdict is not of today
};

TrialLine::TrialLine(TrialPorts ports, Options options, std::stop_token stop)
    : ports_(ports),
      options_(std::move(options)),
      stop_(std::move(stop)),
      mailbox_(std::make_shared<Mailbox<Work>>()),
      trial_of_{{options_.original, 0}, {ports_.stages.original_object(), 0}} {
  const auto post_answer = [this, post = post()](auto answer) {
    post([this, answer = std::move(answer)]() mutable {
      std::visit([this](auto& message) { handle(message); }, answer);
    });
  };
  bench_ = std::make_unique<TrialBench>(ports_.stages, options_.bench, stop_, post_answer);
}

TrialLine::~TrialLine() = default;

void TrialLine::know(const std::string& program, unsigned trial) {
  trial_of_.emplace(program, trial);
}

void TrialLine::recall(Accepted trial) {
  outcome_.count(trial.verdict);
  outcome_.setbacks.add(trial.verdict, !trial.candidate.source.empty());
  outcome_.enough = options_.enough(trial.verdict).value_or("");
  outcome_.keep(std::move(trial));
}

void TrialLine::open(unsigned place) {
  places_[place];
}

void TrialLine::withdraw(unsigned place) {
  places_.erase(place);
}

void TrialLine::pass(unsigned number) {
  Place& place = places_.at(number);
  place.passed_up = true;
  place.stage = Place::Stage::ready;
}

bool TrialLine::has_room() const {
  const Parallel& parallel = options_.bench.parallel;
  return !has_enough() &&
         places_.size() < std::max<std::size_t>(fewest_places, places_a_judgment * parallel.judgments) &&
         outcome_.counts.total + places_.size() < options_.bench.limits.trials;
}

void TrialLine::submit(unsigned number, Submission submission) {
  if (ending_) return;  // nobody would judge it
  Place& place = places_.at(number);
  place.stage = Place::Stage::working;
  place.submission = std::move(submission);
  const Proposal& proposal = place.submission.proposal;
  place.candidate = proposal.unchosen();
  if (is_taken(number, frontend::fingerprint(proposal.written))) return;
  place.fingerprint = frontend::fingerprint(place.candidate.source);
  const Journal::Entry* known = proposal.tunables.empty() ? ports_.journal.find(place.fingerprint) : nullptr;
  if (!known) return bench_->compile(number, proposal);
  place.object = known->object;
  if (!place.object.empty() && is_taken(number, place.object)) return;
  options_.judged(known->verdict.seconds, known->verdict);
  // The run that judged it had it profiled, and has forgotten that.
  const TrialBench::Profile& profile = options_.bench.profile;
  if (profile && known->verdict.right) place.profile = profile(place.candidate, known->verdict);
  conclude(place, known->verdict, true);
}

void TrialLine::settle(unsigned number, Submission submission, Settled settled) {
  Place& place = places_.at(number);
  place.submission = std::move(submission);
  place.candidate = place.submission.proposal.unchosen();
  if (!settled.program.empty() && is_taken(number, settled.program)) return;
  conclude(place, std::move(settled.verdict), settled.known);
}

// Whether a trial or another place is this program already. Then it is ready: which of the two is the trial is for the
// order of telling to say.
bool TrialLine::is_taken(unsigned number, const std::string& program) {
  if (!options_.finds_duplicates) return false;
  Place& place = places_.at(number);
  place.programs.push_back(program);
  const unsigned judged = judged_at_.emplace(program, number).first->second;
  if (!trial_of_.contains(program) && judged == number) return false;
  if (judged != number) place.same_as = judged;
  place.stage = Place::Stage::ready;
  return true;
}

std::optional<unsigned> TrialLine::trial_with(const Place& place) const {
  for (const std::string& program : place.programs)
    if (const auto trial = trial_of_.find(program); trial != trial_of_.end()) return trial->second;
  if (place.same_as)
    if (const auto other = places_.find(*place.same_as); other != places_.end()) return trial_with(other->second);
  return std::nullopt;
}

const TrialLine::Place& TrialLine::judged_for(const Place& place) const {
  return place.same_as ? judged_for(places_.at(*place.same_as)) : place;
}

// `place` comes first in the order, and `judged` was judged in its stead.
void TrialLine::adopt(Place& place, const Place& judged) {
  const Proposal& proposal = place.submission.proposal;
  place.verdict = judged.verdict;
  place.profile = judged.profile;
  place.object = judged.object;
  if (!judged.choice.empty() && judged.choice.size() == proposal.tunables.size()) {
    place.choice = judged.choice;
    place.candidate = proposal.chosen(judged.choice);
  }
  place.fingerprint = proposal.written.empty() ? "" : frontend::fingerprint(place.candidate.source);
  if (!place.choice.empty()) place.programs.push_back(place.fingerprint);
  place.known = judged.known && place.fingerprint == judged.fingerprint;
}

void TrialLine::handle(Compiled& compiled) {
  if (ending_) return;
  if (auto* error = std::get_if<Error>(&compiled.outcome)) return fail(std::move(*error));
  Place& place = places_.at(compiled.place);
  if (auto* refused = std::get_if<Verdict>(&compiled.outcome)) return conclude(place, std::move(*refused), false);
  place.object = compiled.object;
  const Proposal& proposal = place.submission.proposal;
  if (!proposal.tunables.empty() || !is_taken(compiled.place, place.object))
    bench_->judge(compiled.place, proposal, std::move(compiled));
}

void TrialLine::handle(Judged& judged) {
  if (!judged.verdict && !ending_) fail(judged.verdict.error());
  if (!judged.verdict) return;
  Place& place = places_.at(judged.place);
  place.object = std::move(judged.object);
  place.profile = std::move(judged.profile);
  if (!judged.choice.empty()) {
    place.candidate = std::move(judged.candidate);
    place.choice = std::move(judged.choice);
    place.fingerprint = frontend::fingerprint(place.candidate.source);
    place.programs.push_back(place.fingerprint);
  }
  options_.judged(judged.longest > 0 ? judged.longest : judged.verdict->seconds, *judged.verdict);
  conclude(place, std::move(*judged.verdict), false);
}

void TrialLine::conclude(Place& place, Verdict verdict, bool known) {
  place.stage = Place::Stage::ready;
  place.verdict = std::move(verdict);
  place.known = known;
}

void TrialLine::fail(Error error) {
  if (!outcome_.error) outcome_.error = std::move(error);
}

TrialLine::Post TrialLine::post() const {
  return [mailbox = mailbox_](Work work) { mailbox->post(std::move(work)); };
}

bool TrialLine::serve(std::chrono::milliseconds patience) {
  const auto work = mailbox_->wait(ending_ ? std::stop_token() : stop_, patience);
  if (work) (*work)();
  return work.has_value();
}

SearchOutcome TrialLine::run(TrialSource& source) {
  source_ = &source;
  if (const auto best = source.best()) bench_->accept(*best);
  while (goes_on()) {
    source.ask();
    while (goes_on() && deliver()) source.ask();
    if (!goes_on()) break;
    if (source.finished()) {
      outcome_.complete = true;
      break;
    }
    serve(pulse);
  }
  end();
  bench_->stop();
  source.end();
  bench_->end();  // what was judged of candidates with tunables comes yet
  while (serve(std::chrono::milliseconds(0))) continue;
  keep_untold();
  bench_.reset();
  outcome_.counts.duplicates = outcome_.setbacks.count(Setbacks::Kind::duplicate);
  outcome_.counts.without_code = outcome_.setbacks.count(Setbacks::Kind::without_code);
  outcome_.counts.cut = outcome_.setbacks.count(Setbacks::Kind::cut);
  outcome_.sort();
  return std::move(outcome_);
}

// The next in order, if it is there.
bool TrialLine::deliver() {
  for (auto next = places_.begin(); next != places_.end(); ++next) {
    if (next->second.stage == Place::Stage::ready && tell(next->first, next->second)) {
      places_.erase(next);
      return true;
    }
    if (!source_->is_overdue(next->first)) return false;
  }
  return false;
}

// False: not yet.
bool TrialLine::tell(unsigned number, Place& place) {
  if (place.passed_up) {
    source_->passed(number);
    return true;
  }
  TrialResult result{.proposal = place.submission.proposal};
  result.duplicate_of = trial_with(place);
  if (!result.duplicate_of) {
    if (place.same_as) {
      const Place& judged = judged_for(place);
      if (!judged.verdict) return false;
      adopt(place, judged);
    }
    result.proposal.candidate = place.candidate;
    result.choice = place.choice;
    result.fingerprint = place.fingerprint;
    result.profile = place.profile;
    result.verdict = without_samples(*place.verdict);
    if (const auto written = write_down(place); !written) {
      fail(written.error());
      return true;
    }
  }
  const Result<unsigned> trial = source_->tell(number, result);
  if (!trial) {
    fail(trial.error());
    return true;
  }
  for (const std::string& program : place.programs) know(program, result.duplicate_of.value_or(*trial));
  if (result.duplicate_of) outcome_.setbacks.add(Setbacks::Kind::duplicate);
  if (!result.duplicate_of) count(*trial, place, std::move(result.proposal.candidate));
  return true;
}

void TrialLine::count(unsigned trial, const Place& place, Candidate candidate) {
  const Verdict& verdict = *place.verdict;
  const std::string name = candidate.name;
  recall({trial, std::move(candidate), verdict, place.submission.provenance});
  const std::optional<double> best = source_->best();
  if (best) bench_->accept(*best);
  ports_.progress.trial({outcome_.counts.total, name, without_samples(verdict), place.known, best.value_or(1.0),
                         options_.bench.limits.trials});
}

Result<void> TrialLine::write_down(const Place& place) {
  if (place.known || place.fingerprint.empty()) return {};
  const Candidate& candidate = place.candidate;
  return ports_.journal.append(place.fingerprint, candidate.name, cache::sha256(candidate.source), place.object,
                               *place.verdict, {candidate.operator_name, candidate.parents, candidate.source});
}

// What was judged before its turn to be told. A run that resumes need not judge it again; if time is up, it may win
// this one. The source is not told, so that the run that resumes has the same order.
void TrialLine::keep_untold() {
  bool writes = true;  // as long as it works: nobody waits for it
  for (const auto& [number, place] : places_) {
    if (!place.verdict || trial_with(place)) continue;
    writes = writes && write_down(place);
    if (stop_.stop_requested()) count(untold_trial, place, place.candidate);
  }
}

}  // namespace hone::tune
