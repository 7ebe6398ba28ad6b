#include "tool/tune/model/model_source.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/llm/token_estimate.h"

namespace hone::tune {
namespace {

using Clock = Patience::Clock;

constexpr auto pulse = std::chrono::milliseconds(500);

llm::Prompt prompt_of(const Question& question, std::uint64_t seed) {
  llm::Prompt prompt;
  for (const search::PromptMessage& message : question.prompt)
    prompt.messages.push_back({message.role == "system"      ? llm::Role::system
                               : message.role == "assistant" ? llm::Role::assistant
                                                             : llm::Role::user,
                               message.text});
  prompt.seed = seed * 1'000'003 + question.request.number;
  prompt.member = question.request.model;
  return prompt;
}

}  // namespace

// One request between ask and tell.
struct ModelSource::Open {
  enum class Stage { held, calling, working, ready };
  Stage stage = Stage::held;
  std::stop_source call;
  Clock::time_point asked = Clock::now();
  llm::Usage usage;
  Provenance provenance;
  Proposal proposal;
  std::string fingerprint, object;
  std::vector<std::string> programs;  // by which it is told from others
  std::optional<unsigned> same_as;    // a request that is judged in its place
  std::variant<ToldTrial, ToldAdvice, ToldFailed> outcome;
  std::optional<Verdict> verdict;  // with samples
  bool replayed = false;
};

ModelSource::ModelSource(ModelPorts ports, const llm::Settings& models, SearchLimits limits, Parallel parallel,
                     const std::vector<std::string>& seeds, const std::string& original)
    : ports_(std::move(ports)),
      models_(models),
      limits_(limits),
      parallel_(parallel),
      patience_(models),
      mailbox_(std::make_shared<Mailbox<Message>>()),
      trial_of_{{original, 0}, {ports_.judge.original_object(), 0}} {
  for (unsigned i = 0; i < seeds.size(); ++i) trial_of_.emplace(seeds[i], i + 1);
}

ModelSource::~ModelSource() {
  request_stops();
}

void ModelSource::request_stops() {
  for (auto& [request, open] : open_) open.call.request_stop();
}

const llm::ModelSettings& ModelSource::member(unsigned model) const {
  return models_.models[model < models_.models.size() ? model : 0];
}

// Enough to keep every slot of the model busy while some replies are judged; more would only ask with old knowledge.
unsigned ModelSource::window() const {
  unsigned concurrency = 0;
  for (const llm::ModelSettings& model : models_.models) concurrency += model.concurrency;
  return concurrency + concurrency / 2;
}

SearchOutcome ModelSource::run(Deadline& deadline, const std::function<void(double)>& judged) {
  judged_ = judged;
  bench_ = std::make_unique<TrialBench>(
      ports_.judge, parallel_, deadline.token(),
      [mailbox = mailbox_](auto answer) {
        std::visit([&](auto& message) { mailbox->post(std::move(message)); }, answer);
      },
      ports_.profile);
  // What a resumed run left at work, now that there is a bench.
  for (auto& [request, open] : open_)
    if (open.stage == Open::Stage::working) bench_->compile(request, open.proposal.candidate.source);
  if (!finished()) send_held();  // what a resumed run had not been answered
  while (!deadline.stopped() && !outcome_.error && !outcome_.ended_by_provider) {
    bool told = true;
    while (told && fill()) told = deliver();
    if (outcome_.error) break;
    if (finished()) {
      outcome_.complete = !dry_;
      break;
    }
    give_up();
    if (auto message = mailbox_->wait(deadline.token(), pulse)) std::visit([this](auto& m) { handle(m); }, *message);
  }
  request_stops();
  bench_.reset();
  stop_calls();
  outcome_.sort();
  return std::move(outcome_);
}

// Replies that came while the loop ended are paid for: a resumed run shall have them. The others have been stopped, and
// say at once what they may have cost.
void ModelSource::stop_calls() {
  const auto start = Clock::now();
  while (ports_.spending.in_flight() > 0 && Clock::now() - start < pulse)
    if (auto message = mailbox_->wait({}, std::chrono::milliseconds(20)))
      if (auto* ended = std::get_if<CallEnded>(&*message)) salvage(*ended);
}

void ModelSource::salvage(CallEnded& call) {
  const std::string& on = ports_.dialogue.question(call.request).request.operator_name;
  if (auto* reply = std::get_if<llm::Reply>(&call.outcome)) {
    ports_.spending.settle(call.request, reply->usage, on);
    record(Replied{call.request, std::move(reply->text), std::move(reply->model), reply->seconds, reply->usage});
  } else {
    const auto& failure = std::get<llm::Failure>(call.outcome);
    ports_.spending.settle(call.request, failure.spent, on);
    record(CallFailed{call.request, failure.what, failure.spent, true});
  }
}

bool ModelSource::record(const Event& event) {
  const auto written = ports_.recorder.append(event);
  if (!written && !outcome_.error) outcome_.error = written.error();
  return written.has_value();
}

// False: it cannot go on.
bool ModelSource::fill() {
  while (!dry_ && open_.size() < window() && outcome_.counts.total + candidates_expected() < limits_.trials) {
    auto question = ports_.dialogue.ask();
    if (!question) {
      outcome_.error = question.error();
      return false;
    }
    if (!*question) return true;
    const search::Request& request = (*question)->request;
    if (!record(Asked{request.number, request.operator_name, request.model, digest_of((*question)->prompt),
                      (*question)->prompt, request.advised_by}))
      return false;
    send(request.number);
  }
  return !outcome_.error;
}

void ModelSource::send(unsigned request) {
  open_[request];
  held_.push_back(request);
  send_held();
}

// In the order of asking. What does not fit now may fit when others have come to less than was set aside for them.
void ModelSource::send_held() {
  for (; !held_.empty(); held_.pop_front()) {
    const unsigned request = held_.front();
    const Question& question = ports_.dialogue.question(request);
    llm::Prompt prompt = prompt_of(question, ports_.seed);
    prompt.pay_once = ports_.spending.limited();
    const llm::Usage most = llm::estimate_most(prompt, member(question.request.model));
    if (!ports_.spending.admit(request, most)) {
      if (ports_.spending.in_flight() == 0) run_dry();
      return;
    }
    if (!record(Sent{request, most})) return;
    Open& open = open_.at(request);
    open.stage = Open::Stage::calling;
    open.asked = Clock::now();
    ports_.client.submit(std::move(prompt), open.call.get_token(), [mailbox = mailbox_, request](llm::Outcome outcome) {
      mailbox->post(CallEnded{request, std::move(outcome)});
    });
  }
  tell_progress();
}

// Nothing is asked any more. What was held back stays open in the recording: with a larger budget it can go on.
void ModelSource::run_dry() {
  ports_.progress.note("no further call fits into the budget for tokens or money");
  dry_ = true;
  for (const unsigned request : held_) open_.erase(request);
  held_.clear();
}

void ModelSource::tell_progress() {
  ports_.progress.asking(ports_.spending.in_flight(), ports_.spending.spent());
}

void ModelSource::handle(CallEnded& message) {
  const unsigned request = message.request;
  Open& open = open_.at(request);
  const Question& question = ports_.dialogue.question(request);
  if (auto* reply = std::get_if<llm::Reply>(&message.outcome)) {
    open.usage = reply->usage;
    patience_.answered(reply->seconds);
    ports_.spending.settle(request, reply->usage, question.request.operator_name);
    open.provenance = {reply->model, digest_of(question.prompt), cache::sha256(reply->text)};
    if (record(Replied{request, reply->text, reply->model, reply->seconds, reply->usage}))
      interpret(request, reply->text);
  } else {
    const auto& failure = std::get<llm::Failure>(message.outcome);
    open.usage = failure.spent;
    ports_.spending.settle(request, failure.spent, question.request.operator_name);
    record(CallFailed{request, failure.what, failure.spent, failure.ends_the_run});
    open.stage = Open::Stage::ready;
    open.outcome = ToldFailed{request};
    if (failure.ends_the_run)
      outcome_.ended_by_provider = Error{failure.what, "", "what was found so far is kept; --resume goes on"};
    else if (failure.kind != llm::FailureKind::cancelled)
      ports_.progress.note(failure.what);
  }
  if (!outcome_.ended_by_provider) send_held();
}

void ModelSource::interpret(unsigned request, const std::string& text) {
  Open& open = open_.at(request);
  Answer answer = ports_.dialogue.read(request, text);
  if (auto* advice = std::get_if<AdviceText>(&answer)) {
    open.stage = Open::Stage::ready;
    open.outcome = ToldAdvice{request, std::move(advice->text), advice->ok};
    return;
  }
  open.stage = Open::Stage::working;
  open.outcome = ToldTrial{.request = request};
  if (auto* unreadable = std::get_if<search::Unreadable>(&answer)) {
    open.proposal = ports_.dialogue.without_code(request);
    if (taken(request, cache::sha256(text))) return;
    Verdict verdict;
    verdict.reason = std::move(unreadable->why);
    return conclude(request, std::move(verdict), false);
  }
  open.proposal = std::move(std::get<Proposal>(answer));
  if (taken(request, frontend::fingerprint(open.proposal.written))) return;
  open.fingerprint = frontend::fingerprint(open.proposal.candidate.source);
  const Journal::Entry* known = open.proposal.tunables.empty() ? ports_.journal.find(open.fingerprint) : nullptr;
  if (known) {
    open.object = known->object;
    if (open.object.empty() || !taken(request, open.object)) conclude(request, known->verdict, true);
  } else if (bench_) {
    bench_->compile(request, open.proposal.candidate.source);
  }
}

// Whether a trial or another request is this program already. Nothing is judged twice; which of them is the trial is
// for the order of telling to say.
bool ModelSource::taken(unsigned request, const std::string& program) {
  Open& open = open_.at(request);
  open.programs.push_back(program);
  const auto judge = judge_of_.emplace(program, request).first->second;
  if (!trial_of_.contains(program) && judge == request) return false;
  if (judge != request) open.same_as = judge;
  open.stage = Open::Stage::ready;
  return true;
}

std::optional<unsigned> ModelSource::trial_with(const Open& open) const {
  for (const std::string& program : open.programs)
    if (const auto trial = trial_of_.find(program); trial != trial_of_.end()) return trial->second;
  if (open.same_as)
    if (const auto other = open_.find(*open.same_as); other != open_.end()) return trial_with(other->second);
  return std::nullopt;
}

const ModelSource::Open& ModelSource::judged_for(const Open& open) const {
  return open.same_as ? judged_for(open_.at(*open.same_as)) : open;
}

// It comes first in the order, and another was judged in its place.
void ModelSource::adopt(Open& open, const Open& judged) {
  auto& told = std::get<ToldTrial>(open.outcome);
  const auto& other = std::get<ToldTrial>(judged.outcome);
  told.verdict = other.verdict;
  told.profile = other.profile;
  if (open.proposal.tunables.size() == other.choice.size() && !other.choice.empty()) {
    told.choice = other.choice;
    open.proposal.candidate = open.proposal.chosen(other.choice);
  }
  told.name = open.proposal.candidate.name;
  told.fingerprint = open.proposal.written.empty() ? "" : frontend::fingerprint(open.proposal.candidate.source);
  open.verdict = judged.verdict;
  open.object = judged.object;
  if (told.fingerprint.empty() || told.fingerprint == other.fingerprint) return;
  const auto written = ports_.journal.append(told.fingerprint, told.name, cache::sha256(open.proposal.candidate.source),
                                             open.object, *open.verdict);
  if (!written) outcome_.error = written.error();
}

void ModelSource::handle(Compiled& message) {
  Open& open = open_.at(message.request);
  if (auto* objects = std::get_if<compile::Objects>(&message.outcome)) {
    open.object = message.object;
    if (open.proposal.tunables.empty() && taken(message.request, open.object)) return;
    bench_->judge(message.request, open.proposal, std::move(*objects),
                  trial_rule(limits_.longest_look, ports_.dialogue.search().best() != nullptr), limits_.longest_tuning);
  } else if (auto* verdict = std::get_if<Verdict>(&message.outcome)) {
    conclude(message.request, std::move(*verdict), false);
  } else {
    outcome_.error = std::get<Error>(message.outcome);
  }
}

void ModelSource::handle(Judged& message) {
  Open& open = open_.at(message.request);
  if (!message.choice.empty()) {
    open.proposal.candidate = std::move(message.candidate);
    open.fingerprint = frontend::fingerprint(open.proposal.candidate.source);
    open.programs.push_back(open.fingerprint);
    std::get<ToldTrial>(open.outcome).choice = std::move(message.choice);
  }
  if (message.verdict) judged_(message.verdict->seconds);
  std::get<ToldTrial>(open.outcome).profile = std::move(message.profile);
  conclude(message.request, std::move(message.verdict), false);
}

void ModelSource::conclude(unsigned request, Result<Verdict> verdict, bool replayed) {
  Open& open = open_.at(request);
  if (!verdict) {
    outcome_.error = verdict.error();
    return;
  }
  open.stage = Open::Stage::ready;
  open.replayed = replayed;
  auto& told = std::get<ToldTrial>(open.outcome);
  told.fingerprint = open.fingerprint;
  told.name = open.proposal.candidate.name;
  told.verdict = without_samples(*verdict);
  // A verdict that the journal knew was profiled by the run that judged it, and that is forgotten.
  if (replayed && ports_.profile && verdict->right) told.profile = ports_.profile(open.proposal.candidate, *verdict);
  if (!replayed && !open.fingerprint.empty()) {
    const auto written = ports_.journal.append(open.fingerprint, open.proposal.candidate.name,
                                               cache::sha256(open.proposal.candidate.source), open.object, *verdict);
    if (!written) outcome_.error = written.error();
  }
  open.verdict = std::move(*verdict);
}

bool ModelSource::overdue(const Open& open) const {
  return open.stage == Open::Stage::calling && patience_.overdue(open.asked);
}

bool ModelSource::is_candidate(unsigned request) const {
  return ports_.dialogue.question(request).request.kind == search::RequestKind::candidate;
}

// One that is overdue may never come: another is asked in its place.
unsigned ModelSource::candidates_expected() const {
  return static_cast<unsigned>(std::ranges::count_if(
      open_, [this](const auto& entry) { return is_candidate(entry.first) && !overdue(entry.second); }));
}

// Advice that is still awaited may teach the memory something; a candidate more than was wanted nobody awaits.
bool ModelSource::finished() const {
  return std::ranges::all_of(open_, [this](const auto& entry) {
    return outcome_.counts.total >= limits_.trials && (is_candidate(entry.first) || overdue(entry.second));
  });
}

// Where nothing is left but to wait for calls that others have long been answered without, the eldest ends.
void ModelSource::give_up() {
  const auto hangs = [this](const auto& entry) {
    return entry.second.stage == Open::Stage::calling && patience_.hopeless(entry.second.asked);
  };
  const auto eldest = std::ranges::find_if(open_, hangs);
  const bool idle = std::ranges::all_of(
      open_, [&](const auto& entry) { return entry.second.stage == Open::Stage::held || hangs(entry); });
  if (eldest == open_.end() || !idle || !eldest->second.call.request_stop()) return;
  ports_.progress.note(
      fmt::format("a call was given up: it hung, where the others took {:.1f} s at most", patience_.slowest()));
  // It may have kept the others from being sent at all.
  for (auto& [request, open] : open_)
    if (open.stage == Open::Stage::calling) open.asked = Clock::now();
}

// The next in order, if it is there.
bool ModelSource::deliver() {
  for (auto next = open_.begin(); next != open_.end(); ++next) {
    if (next->second.stage == Open::Stage::ready && tell(next->first, next->second)) {
      open_.erase(next);
      return true;
    }
    if (!overdue(next->second)) return false;
  }
  return false;
}

// False: not yet.
bool ModelSource::tell(unsigned request, Open& open) {
  if (std::holds_alternative<ToldTrial>(open.outcome)) return tell_trial(request, open);
  if (const auto* advice = std::get_if<ToldAdvice>(&open.outcome)) {
    record(*advice);
    ports_.dialogue.charge(request, charge_of(open.usage));
    ports_.dialogue.tell_advice(request, {advice->text, advice->ok});
  } else {
    record(ToldFailed{request});
    ports_.dialogue.fail(request);
  }
  return true;
}

bool ModelSource::tell_trial(unsigned request, Open& open) {
  auto& told = std::get<ToldTrial>(open.outcome);
  told.duplicate_of = trial_with(open);
  if (told.duplicate_of) {
    // Whether it was judged, too, before that was known, depends on when replies came: a recording must not.
    told.fingerprint.clear();
    told.profile.clear();
    told.name = open.proposal.candidate.name;
    told.verdict = ports_.dialogue.search().trials()[*told.duplicate_of].verdict;
  } else if (open.same_as) {
    const Open& judged = judged_for(open);
    if (!judged.verdict) return false;
    adopt(open, judged);
  }
  if (!record(told)) return true;
  ports_.dialogue.charge(request, charge_of(open.usage));
  const unsigned trial = ports_.dialogue.tell(request, open.proposal, told.verdict, told.duplicate_of, told.profile);
  for (const std::string& program : open.programs) trial_of_.emplace(program, told.duplicate_of.value_or(trial));
  if (told.duplicate_of) return true;
  outcome_.count(told.verdict);
  if (told.verdict.right && told.verdict.faster)
    outcome_.accepted.push_back({trial, open.proposal.candidate, open.verdict.value_or(told.verdict), open.provenance});
  const search::Trial* best = ports_.dialogue.search().best();
  ports_.progress.trial({outcome_.counts.total, open.proposal.candidate.name, told.verdict, open.replayed,
                         best ? best->verdict.measurement.speedup.median : 1.0});
  return true;
}

void ModelSource::resume(Played played) {
  unsigned call = 0;
  for (const auto& [on, usage] : played.spent) ports_.spending.settle(--call, usage, on);
  for (ScriptedTrial& done : played.trials) {
    const ToldTrial& told = done.told;
    const Journal::Entry* known = ports_.journal.find(told.fingerprint);
    const unsigned trial = told.duplicate_of.value_or(done.trial);
    if (done.proposal.written.empty()) {
      trial_of_.emplace(done.provenance.reply, trial);
    } else {
      trial_of_.emplace(frontend::fingerprint(done.proposal.written), trial);
      trial_of_.emplace(frontend::fingerprint(done.proposal.candidate.source), trial);
    }
    if (known && !known->object.empty() && done.proposal.tunables.empty()) trial_of_.emplace(known->object, trial);
    if (told.duplicate_of) continue;
    outcome_.count(told.verdict);
    if (told.verdict.right && told.verdict.faster)
      outcome_.accepted.push_back(
          {done.trial, done.proposal.candidate, known ? known->verdict : told.verdict, done.provenance});
  }
  if (!played.trials.empty()) ports_.progress.note(fmt::format("resuming: {} trials are known", outcome_.counts.total));
  for (const auto& [request, call_made] : played.open) {
    Open& open = open_[request];
    if (!call_made.answer) {
      held_.push_back(request);
      continue;
    }
    if (const auto* reply = std::get_if<Replied>(&*call_made.answer)) {
      open.usage = reply->usage;
      open.provenance = {reply->model, call_made.prompt, cache::sha256(reply->text)};
      interpret(request, reply->text);
    } else {
      open.stage = Open::Stage::ready;
      open.outcome = ToldFailed{request};
    }
  }
}

}  // namespace hone::tune
