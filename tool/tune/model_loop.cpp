#include "tool/tune/model_loop.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/frontend/frontend.h"
#include "tool/llm/tokens.h"

namespace hone::tune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double shortest_patience = 15;  // seconds, before a call is overtaken
constexpr auto pulse = std::chrono::milliseconds(500);

llm::Prompt prompt_of(const Question& question) {
  llm::Prompt prompt;
  for (const search::PromptMessage& message : question.prompt)
    prompt.messages.push_back({message.role == "system"      ? llm::Role::system
                               : message.role == "assistant" ? llm::Role::assistant
                                                             : llm::Role::user,
                               message.text});
  prompt.seed = question.request.number;
  prompt.member = question.request.model;
  return prompt;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// One request between ask and tell.
struct ModelLoop::Open {
  enum class Stage { calling, working, ready };
  Stage stage = Stage::calling;
  Clock::time_point asked = Clock::now();
  llm::Usage usage;
  Provenance provenance;
  Proposal proposal;
  std::string fingerprint, object;
  std::variant<ToldTrial, ToldAdvice, ToldFailed> outcome;
  std::optional<First> twin;
  std::optional<Verdict> verdict;  // with samples
  bool replayed = false;
};

ModelLoop::ModelLoop(ModelLoopPorts ports, const llm::Settings& models, SearchLimits limits, unsigned jobs,
                     const std::vector<std::string>& seeds, const std::string& original)
    : ports_(std::move(ports)),
      models_(models),
      limits_(limits),
      jobs_(jobs),
      mailbox_(std::make_shared<Mailbox<Message>>()),
      first_{{original, {0, true}}, {ports_.judge.original_object(), {0, true}}} {
  for (unsigned i = 0; i < seeds.size(); ++i) first_.emplace(seeds[i], First{i + 1, true});
}

ModelLoop::~ModelLoop() {
  calls_.request_stop();
}

const llm::ModelSettings& ModelLoop::member(unsigned model) const {
  return models_.models[model < models_.models.size() ? model : 0];
}

// Enough to keep every slot of the model busy while some replies are judged; more would only ask with old knowledge.
unsigned ModelLoop::window() const {
  unsigned concurrency = 0;
  for (const llm::ModelSettings& model : models_.models) concurrency += model.concurrency;
  return concurrency + concurrency / 2;
}

SearchOutcome ModelLoop::run(Deadline& deadline, const std::function<void(double)>& judged) {
  judged_ = judged;
  bench_ = std::make_unique<TrialJudge>(ports_.judge, jobs_, deadline.token(), [mailbox = mailbox_](auto answer) {
    std::visit([&](auto& message) { mailbox->post(std::move(message)); }, answer);
  });
  // What a resumed run left at work, now that there is a bench.
  for (auto& [request, open] : open_)
    if (open.stage == Open::Stage::working) bench_->compile(request, open.proposal.candidate.source);
  while (!deadline.stopped() && !outcome_.error) {
    deliver();
    if (outcome_.error || !fill()) break;
    if (open_.empty()) {
      outcome_.complete = !dry_;
      break;
    }
    if (auto message = mailbox_->wait(deadline.token(), pulse)) std::visit([this](auto& m) { handle(m); }, *message);
  }
  calls_.request_stop();
  bench_.reset();
  salvage();
  outcome_.sort();
  return std::move(outcome_);
}

// Replies that came while the loop ended are paid for: a resumed run shall have them.
void ModelLoop::salvage() {
  while (auto message = mailbox_->wait({}, std::chrono::milliseconds(0)))
    if (auto* ended = std::get_if<CallEnded>(&*message))
      if (auto* reply = std::get_if<llm::Reply>(&ended->outcome))
        record(Replied{ended->request, std::move(reply->text), std::move(reply->model), reply->seconds, reply->usage});
}

bool ModelLoop::record(const Event& event) {
  const auto written = ports_.recorder.append(event);
  if (!written && !outcome_.error) outcome_.error = written.error();
  return written.has_value();
}

// False: it cannot go on.
bool ModelLoop::fill() {
  while (!dry_ && open_.size() < window() &&
         outcome_.counts.total + ports_.dialogue.open_candidates() < limits_.trials) {
    auto question = ports_.dialogue.ask();
    if (!question) {
      outcome_.error = question.error();
      return false;
    }
    if (!*question) return true;
    const search::Request& request = (*question)->request;
    open_[request.number];
    if (!record(Asked{request.number, request.operator_name, request.model, digest_of((*question)->prompt),
                      (*question)->prompt}))
      return false;
    send(request.number);
  }
  return true;
}

void ModelLoop::send(unsigned request) {
  const Question& question = ports_.dialogue.question(request);
  llm::Prompt prompt = prompt_of(question);
  Open& open = open_[request];
  if (!ports_.spending.admit(request, llm::estimate_most(prompt, member(question.request.model)))) {
    if (!dry_) ports_.progress.note("no further call fits into the budget for tokens or money");
    dry_ = true;
    open.stage = Open::Stage::ready;
    open.outcome = ToldFailed{request};
    return;
  }
  open.asked = Clock::now();
  ports_.client.submit(std::move(prompt), calls_.get_token(), [mailbox = mailbox_, request](llm::Outcome outcome) {
    mailbox->post(CallEnded{request, std::move(outcome)});
  });
}

void ModelLoop::handle(CallEnded& message) {
  const unsigned request = message.request;
  Open& open = open_.at(request);
  const std::string& on = ports_.dialogue.question(request).request.operator_name;
  if (auto* reply = std::get_if<llm::Reply>(&message.outcome)) {
    open.usage = reply->usage;
    slowest_usual_ = std::max(slowest_usual_, reply->seconds);
    ports_.spending.settle(request, reply->usage, on);
    open.provenance = {reply->model, digest_of(ports_.dialogue.question(request).prompt), cache::sha256(reply->text)};
    if (record(Replied{request, reply->text, reply->model, reply->seconds, reply->usage}))
      interpret(request, reply->text);
    return;
  }
  const auto& failure = std::get<llm::Failure>(message.outcome);
  ports_.spending.settle(request, failure.spent, on);
  record(CallFailed{request, failure.what, failure.spent});
  open.stage = Open::Stage::ready;
  open.outcome = ToldFailed{request};
  if (failure.ends_the_run) {
    outcome_.error = Error{failure.what, "", "what was found so far is kept"};
  } else {
    ports_.progress.note(failure.what);
  }
}

void ModelLoop::interpret(unsigned request, const std::string& text) {
  Open& open = open_.at(request);
  Answer answer = ports_.dialogue.read(request, text);
  if (auto* advice = std::get_if<AdviceText>(&answer)) {
    open.stage = Open::Stage::ready;
    open.outcome = ToldAdvice{request, std::move(advice->text), advice->ok};
    return;
  }
  open.outcome = ToldTrial{.request = request};
  if (auto* unreadable = std::get_if<search::Unreadable>(&answer)) {
    open.proposal = ports_.dialogue.without_code(request);
    Verdict verdict;
    verdict.reason = std::move(unreadable->why);
    return conclude(request, std::move(verdict), false);
  }
  open.proposal = std::move(std::get<Proposal>(answer));
  open.stage = Open::Stage::working;
  look_for_twin(open, frontend::fingerprint(open.proposal.written), request);
  if (open.twin) return;
  open.fingerprint = frontend::fingerprint(open.proposal.candidate.source);
  const Journal::Entry* known = open.proposal.tunables.empty() ? ports_.journal.find(open.fingerprint) : nullptr;
  if (known) {
    open.object = known->object;
    conclude(request, known->verdict, true);
  } else if (bench_) {
    bench_->compile(request, open.proposal.candidate.source);
  }
}

// Who had this program first, by its tokens or by what the compiler made of it.
void ModelLoop::look_for_twin(Open& open, const std::string& digest, unsigned request) {
  const auto [first, fresh] = first_.emplace(digest, First{request, false});
  if (fresh || (!first->second.is_trial && first->second.number == request)) return;
  open.twin = first->second;
  open.stage = Open::Stage::ready;
}

void ModelLoop::handle(Compiled& message) {
  Open& open = open_.at(message.request);
  if (auto* objects = std::get_if<evaluate::Objects>(&message.outcome)) {
    open.object = message.object;
    if (open.proposal.tunables.empty()) look_for_twin(open, open.object, message.request);
    if (open.twin) return;
    bench_->judge(message.request, open.proposal, std::move(*objects),
                  trial_rule(limits_.longest_look, ports_.dialogue.search().best() != nullptr));
  } else if (auto* verdict = std::get_if<Verdict>(&message.outcome)) {
    conclude(message.request, std::move(*verdict), false);
  } else {
    outcome_.error = std::get<Error>(message.outcome);
  }
}

void ModelLoop::handle(Judged& message) {
  Open& open = open_.at(message.request);
  if (!message.choice.empty()) {
    open.proposal.candidate = std::move(message.candidate);
    open.fingerprint = frontend::fingerprint(open.proposal.candidate.source);
    std::get<ToldTrial>(open.outcome).choice = std::move(message.choice);
  }
  if (message.verdict) judged_(message.verdict->seconds);
  conclude(message.request, std::move(message.verdict), false);
}

void ModelLoop::conclude(unsigned request, Result<Verdict> verdict, bool replayed) {
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
  if (ports_.profile && verdict->right) told.profile = ports_.profile(open.proposal.candidate, *verdict);
  if (!replayed && !open.fingerprint.empty()) {
    const auto written = ports_.journal.append(open.fingerprint, open.proposal.candidate.name,
                                               cache::sha256(open.proposal.candidate.source), open.object, *verdict);
    if (!written) outcome_.error = written.error();
  }
  open.verdict = std::move(*verdict);
}

bool ModelLoop::overdue(const Open& open) const {
  return open.stage == Open::Stage::calling &&
         seconds_since(open.asked) > std::max(shortest_patience, 2 * slowest_usual_);
}

void ModelLoop::deliver() {
  for (auto next = open_.begin(); next != open_.end() && !outcome_.error;) {
    if (next->second.stage == Open::Stage::ready && tell(next->first, next->second)) {
      open_.erase(next);
      next = open_.begin();
    } else if (overdue(next->second) || next->second.twin) {
      ++next;
    } else {
      return;
    }
  }
}

// False: not yet.
bool ModelLoop::tell(unsigned request, Open& open) {
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

bool ModelLoop::tell_trial(unsigned request, Open& open) {
  auto& told = std::get<ToldTrial>(open.outcome);
  if (open.twin) {
    if (!open.twin->is_trial && !trial_of_.contains(open.twin->number)) return false;
    told.duplicate_of = open.twin->is_trial ? open.twin->number : trial_of_.at(open.twin->number);
    told.name = open.proposal.candidate.name;
    told.verdict = ports_.dialogue.search().trials()[*told.duplicate_of].verdict;
  }
  if (!record(told)) return true;
  ports_.dialogue.charge(request, charge_of(open.usage));
  const unsigned trial = ports_.dialogue.tell(request, open.proposal, told.verdict, told.duplicate_of, told.profile);
  if (told.duplicate_of) {
    trial_of_[request] = *told.duplicate_of;
    return true;
  }
  trial_of_[request] = trial;
  outcome_.count(told.verdict);
  if (told.verdict.right && told.verdict.faster)
    outcome_.accepted.push_back({trial, open.proposal.candidate, open.verdict.value_or(told.verdict), open.provenance});
  const search::Trial* best = ports_.dialogue.search().best();
  ports_.progress.trial({outcome_.counts.total, open.proposal.candidate.name, told.verdict, open.replayed,
                         best ? best->verdict.measurement.speedup.median : 1.0});
  return true;
}

void ModelLoop::resume(Played played) {
  unsigned call = 0;
  for (const auto& [on, usage] : played.spent) ports_.spending.settle(--call, usage, on);
  for (ScriptedTrial& done : played.trials) {
    const ToldTrial& told = done.told;
    trial_of_[told.request] = told.duplicate_of.value_or(done.trial);
    if (told.duplicate_of) continue;
    first_.emplace(frontend::fingerprint(done.proposal.written), First{done.trial, true});
    const Journal::Entry* known = ports_.journal.find(told.fingerprint);
    if (known && !known->object.empty()) first_.emplace(known->object, First{done.trial, true});
    outcome_.count(told.verdict);
    if (told.verdict.right && told.verdict.faster)
      outcome_.accepted.push_back({done.trial, done.proposal.candidate, known ? known->verdict : told.verdict});
  }
  if (!played.trials.empty()) ports_.progress.note(fmt::format("resuming: {} trials are known", outcome_.counts.total));
  for (const auto& [request, call_made] : played.open) {
    Open& open = open_[request];
    if (!call_made.answer) {
      send(request);
    } else if (const auto* reply = std::get_if<Replied>(&*call_made.answer)) {
      open.usage = reply->usage;
      interpret(request, reply->text);
    } else {
      open.stage = Open::Stage::ready;
      open.outcome = ToldFailed{request};
    }
  }
}

}  // namespace hone::tune
