#include "tool/tune/model/model_source.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/llm/token_estimate.h"

namespace hone::tune {
namespace {

using Clock = Patience::Clock;

// For calls that are stopped to say what they may have cost. A client promises a tenth of a second, and may be busy.
constexpr auto time_to_stop = std::chrono::milliseconds(500);
constexpr std::uint64_t requests_apart = 1'000'003;    // more than there are: no call of two runs has the same seed
constexpr auto pulse = std::chrono::milliseconds(20);  // how often it is looked whether that time is up

llm::Role role_of(const search::PromptMessage& message) {
  if (message.role == "system") return llm::Role::system;
  return message.role == "assistant" ? llm::Role::assistant : llm::Role::user;
}

}  // namespace

// One request between ask and tell.
struct ModelSource::Call {
  enum class Stage { held, calling, answered };
  Stage stage = Stage::held;
  std::stop_source stop;
  Clock::time_point asked = Clock::now();
  llm::Usage usage;
  Provenance provenance;
  std::optional<ToldAdvice> advice;   // of a request of that kind, once it was answered
  std::optional<Proposal> candidate;  // that an opinion is wanted of; it is submitted when that has come
  std::vector<search::PromptMessage> opinion_prompt;  // about it
  std::optional<search::Opinion> opinion;
  bool had_opinion = false;  // it was asked for, whatever came
};

ModelSource::ModelSource(ModelPorts ports, Options options, TrialLine& line)
    : ports_(ports), options_(std::move(options)), line_(line), patience_(options_.models) {}

ModelSource::~ModelSource() = default;

llm::Prompt ModelSource::prompt_of(const Question& question) {
  llm::Prompt prompt;
  bool first = true;  // of what is not the system's
  for (const search::PromptMessage& message : question.prompt) {
    const llm::Role role = role_of(message);
    const bool begins = role != llm::Role::system && std::exchange(first, false);
    prompt.messages.push_back({role, message.text, begins ? stable_start_.of(message.text) : 0});
  }
  prompt.seed = options_.seed * requests_apart + question.request.number;
  prompt.member = question.request.model;
  return prompt;
}

// About its candidate, where there is one; else the question itself.
llm::Prompt ModelSource::prompt_of(unsigned request, const Call& call) {
  constexpr std::uint64_t of_opinions = 500'000;  // seeds of their own
  const Question& question = ports_.dialogue.question(request);
  if (!call.candidate) return prompt_of(question);
  llm::Prompt prompt;
  for (const search::PromptMessage& message : call.opinion_prompt)
    prompt.messages.push_back({role_of(message), message.text, 0});
  prompt.seed = options_.seed * requests_apart + of_opinions + request;
  prompt.member = question.request.model;
  return prompt;
}

const llm::ModelSettings& ModelSource::member(unsigned model) const {
  const auto& models = options_.models.models;
  return models[model < models.size() ? model : 0];
}

// Enough to keep every slot of the model busy while some replies are judged; more would only ask with old knowledge.
unsigned ModelSource::window() const {
  unsigned concurrency = 0;
  for (const llm::ModelSettings& model : options_.models.models) concurrency += model.concurrency;
  return concurrency + concurrency / 2;
}

bool ModelSource::record(const Event& event) {
  const auto written = ports_.recorder.append(event);
  if (!written) line_.fail(written.error());
  return written.has_value();
}

void ModelSource::ask() {
  while (!dry_ && !line_.has_enough() && line_.open_places() < window() &&
         line_.counts().total + candidates_expected() < options_.trials) {
    const auto question = ports_.dialogue.ask();
    if (!question) return line_.fail(question.error());
    if (!*question) break;
    const search::Request& request = (*question)->request;
    if (!record(Asked{request.number, request.operator_name, request.model, digest_of((*question)->prompt),
                      (*question)->prompt, request.advised_by}))
      return;
    line_.open(request.number);
    calls_[request.number];
    held_.push_back(request.number);
    send_held();
  }
  if (!finished()) give_up();
}

// In the order of asking. What does not fit now may fit when others have come to less than was set aside for them.
void ModelSource::send_held() {
  for (; !held_.empty(); held_.pop_front()) {
    const unsigned request = held_.front();
    const Question& question = ports_.dialogue.question(request);
    Call& call = calls_.at(request);
    llm::Prompt prompt = prompt_of(request, call);
    prompt.pay_once = ports_.spending.limited();
    const llm::Usage most = llm::estimate_most(prompt, member(question.request.model));
    if (!ports_.spending.admit(request, most)) {
      if (ports_.spending.in_flight() == 0) run_dry();
      return;
    }
    if (!record(Sent{request, most})) return;
    call.stage = Call::Stage::calling;
    call.asked = Clock::now();
    const auto done = [this, request, post = line_.post()](llm::Outcome outcome) {
      post([this, request, outcome = std::move(outcome)]() mutable { handle(request, std::move(outcome)); });
    };
    ports_.client.submit(std::move(prompt), call.stop.get_token(), done);
  }
  tell_progress();
}

// Nothing is asked any more. What was held back stays open in the recording: with a larger budget it can go on.
void ModelSource::run_dry() {
  ports_.progress.note("no further call fits into the budget for tokens or money");
  dry_ = true;
  for (const unsigned request : std::exchange(held_, {})) {
    if (calls_.at(request).candidate) {
      submit(request);
      continue;
    }
    line_.withdraw(request);
    calls_.erase(request);
  }
}

void ModelSource::tell_progress() {
  ports_.progress.asking(ports_.spending.in_flight(), ports_.spending.spent());
}

void ModelSource::handle(unsigned request, llm::Outcome outcome) {
  if (ending_) return salvage(request, outcome);
  Call& call = calls_.at(request);
  call.stage = Call::Stage::answered;
  if (call.candidate) {
    take_opinion(request, outcome);
  } else {
    std::visit([&](auto& answer) { handle(request, answer); }, outcome);
  }
  if (!ended_by_provider_ && !line_.has_enough()) send_held();
}

void ModelSource::handle(unsigned request, llm::Reply& reply) {
  Call& call = calls_.at(request);
  const Question& question = ports_.dialogue.question(request);
  call.usage = reply.usage;
  patience_.answered(reply.seconds);
  ports_.spending.settle(request, reply.usage, question.request.operator_name);
  call.provenance = {reply.model, digest_of(question.prompt), cache::sha256(reply.text)};
  if (!reply.news.empty()) ports_.progress.note(reply.news);
  if (reply.truncated) line_.setbacks().add(Setbacks::Kind::cut);
  if (record(Replied{request, reply.text, reply.model, reply.seconds, reply.usage})) interpret(request, reply.text);
}

void ModelSource::handle(unsigned request, const llm::Failure& failure) {
  calls_.at(request).usage = failure.spent;
  settle(request, failure);
  note_failure(failure);
  record(CallFailed{request, failure.what, failure.spent, failure.ends_the_run});
  line_.pass(request);
  if (failure.ends_the_run) {
    end_by_provider(failure);
  } else if (failure.kind != llm::FailureKind::canceled) {
    ports_.progress.note(failure.what);
  }
}

void ModelSource::end_by_provider(const llm::Failure& failure) {
  ended_by_provider_ =
      coded_failure(DiagnosticCode::model_failed, failure.what, "", "what was found so far is kept; --resume goes on")
          .value();
  line_.end();
}

void ModelSource::note_failure(const llm::Failure& failure) {
  if (!failure.news.empty()) ports_.progress.note(failure.news);
  if (failure.kind == llm::FailureKind::canceled) return;
  const bool declined = failure.kind == llm::FailureKind::declined;
  line_.setbacks().add(declined ? Setbacks::Kind::declined : Setbacks::Kind::failed_call, failure.what);
}

void ModelSource::settle(unsigned request, const llm::Failure& failure) {
  const std::string& on = ports_.dialogue.question(request).request.operator_name;
  const bool stopped = failure.kind == llm::FailureKind::canceled;
  if (stopped)
    ports_.spending.settle_stopped(request, failure.spent);
  else
    ports_.spending.settle(request, failure.spent, on);
}

void ModelSource::interpret(unsigned request, const std::string& text) {
  Call& call = calls_.at(request);
  Answer answer = ports_.dialogue.read(request, text);
  if (auto* advice = std::get_if<AdviceText>(&answer)) {
    call.advice = ToldAdvice{request, std::move(advice->text), advice->ok};
    line_.pass(request);
  } else if (auto* unreadable = std::get_if<search::Unreadable>(&answer)) {
    Verdict verdict;
    verdict.code = DiagnosticCode::candidate_unreadable;
    verdict.reason = std::move(unreadable->why);
    line_.settle(request, {ports_.dialogue.without_code(request), call.provenance},
                 {.program = cache::sha256(text), .verdict = std::move(verdict)});
  } else {
    consider(request, std::move(std::get<Proposal>(answer)));
  }
}

// What the gate refuses, and what was seen before, says by itself what it is.
bool ModelSource::wants_opinion(const Call& call, const Proposal& proposal) const {
  if (options_.opinion == search::OpinionUse::none || call.had_opinion) return false;
  if (dry_ || ending_ || ended_by_provider_ || line_.has_enough()) return false;
  return !line_.knows(frontend::fingerprint(proposal.written)) && !line_.refuses(proposal.unchosen().source);
}

void ModelSource::consider(unsigned request, Proposal proposal) {
  Call& call = calls_.at(request);
  const bool asks = wants_opinion(call, proposal);
  call.candidate = std::move(proposal);
  if (!asks) return submit(request);
  auto prompt = ports_.dialogue.opinion_prompt(call.candidate->unchosen());
  if (!prompt) return line_.fail(prompt.error());
  call.opinion_prompt = std::move(*prompt);
  call.had_opinion = true;
  call.stage = Call::Stage::held;
  if (record(OpinionAsked{request, digest_of(call.opinion_prompt), call.opinion_prompt})) held_.push_front(request);
}

void ModelSource::take_opinion(unsigned request, llm::Outcome& outcome) {
  Call& call = calls_.at(request);
  Opined opined{.request = request};
  const auto* failure = std::get_if<llm::Failure>(&outcome);
  if (failure) {
    opined.what = failure->what;
    opined.usage = failure->spent;
    opined.again = failure->ends_the_run || ending_;
  } else {
    auto& reply = std::get<llm::Reply>(outcome);
    opined = {request, std::move(reply.text), std::move(reply.model), reply.seconds, reply.usage};
    call.usage += reply.usage;
    call.opinion = search::read_opinion(opined.text);
  }
  if (failure && failure->kind == llm::FailureKind::canceled) {
    ports_.spending.settle_stopped(request, opined.usage);
  } else {
    ports_.spending.settle(request, opined.usage, opinion_calls);
    opinions_.paid(opined.usage);
  }
  if (!record(opined) || ending_) return;
  if (failure) note_failure(*failure);
  if (failure && failure->ends_the_run) return end_by_provider(*failure);
  if (failure && failure->kind != llm::FailureKind::canceled) ports_.progress.note(failure->what);
  submit(request);
}

// To the judge, unless the model's opinion of it is to spare that.
void ModelSource::submit(unsigned request) {
  Call& call = calls_.at(request);
  Submission submission{std::move(*call.candidate), call.provenance};
  call.candidate.reset();
  if (options_.opinion != search::OpinionUse::filter || !call.opinion || call.opinion->right)
    return line_.submit(request, std::move(submission));
  std::string program = frontend::fingerprint(submission.proposal.written);
  line_.settle(request, std::move(submission),
               {.program = std::move(program), .verdict = doubted(*call.opinion), .known = true});
}

bool ModelSource::overdue(const Call& call) const {
  return call.stage == Call::Stage::calling && patience_.overdue(call.asked);
}

bool ModelSource::is_overdue(unsigned place) const {
  const auto call = calls_.find(place);
  return call != calls_.end() && overdue(call->second);
}

bool ModelSource::is_candidate(unsigned request) const {
  return ports_.dialogue.question(request).request.kind == search::RequestKind::candidate;
}

// Advice counts as the candidates that follow it. A call that is overdue may never come: another is asked in its place.
unsigned ModelSource::candidates_expected() const {
  unsigned expected = 0;
  for (const auto& [request, call] : calls_)
    if (!overdue(call)) expected += search::candidates_of(ports_.dialogue.question(request).request);
  return expected;
}

// Advice that is still awaited may teach the memory something; a candidate more than was wanted nobody awaits. Where
// enough was found, what was sent is paid for and awaited all the same.
bool ModelSource::finished() const {
  if (line_.has_enough())
    return std::ranges::all_of(
        calls_, [this](const auto& entry) { return entry.second.stage == Call::Stage::held || overdue(entry.second); });
  return std::ranges::all_of(calls_, [this](const auto& entry) {
    return line_.counts().total >= options_.trials && (is_candidate(entry.first) || overdue(entry.second));
  });
}

// Where nothing is left but to wait for calls that others have long been answered without, the eldest ends.
void ModelSource::give_up() {
  const auto hangs = [this](const auto& entry) {
    return entry.second.stage == Call::Stage::calling && patience_.hopeless(entry.second.asked);
  };
  const auto eldest = std::ranges::find_if(calls_, hangs);
  const bool idle = std::ranges::all_of(
      calls_, [&](const auto& entry) { return entry.second.stage == Call::Stage::held || hangs(entry); });
  if (eldest == calls_.end() || !idle || !eldest->second.stop.request_stop()) return;
  ports_.progress.note(
      fmt::format("a call was given up: it hung, where the others took {:.1f} s at most", patience_.slowest()));
  // It may have kept the others from being sent at all.
  for (auto& [request, call] : calls_)
    if (call.stage == Call::Stage::calling) call.asked = Clock::now();
}

Result<unsigned> ModelSource::tell(unsigned request, const TrialResult& result) {
  ToldTrial told{.request = request,
                 .fingerprint = result.fingerprint,
                 .name = result.proposal.candidate.name,
                 .choice = result.choice,
                 .duplicate_of = result.duplicate_of,
                 .profile = result.profile,
                 .verdict = result.verdict};
  if (told.duplicate_of) told.verdict = ports_.dialogue.search().trials()[*told.duplicate_of].verdict;
  HONE_CHECK(ports_.recorder.append(told));
  const Call call = std::move(calls_.extract(request).mapped());
  ports_.dialogue.charge(request, charge_of(call.usage));
  if (call.opinion && !told.duplicate_of) count(*call.opinion, told.verdict);
  return ports_.dialogue.tell(request, result.proposal, told.verdict, told.duplicate_of, told.profile);
}

void ModelSource::count(const search::Opinion& opinion, const Verdict& verdict) {
  if (opinion.right || options_.opinion != search::OpinionUse::filter)
    opinions_.judged(opinion, verdict);
  else
    opinions_.left_out();
}

// Advice came, or the call failed.
void ModelSource::passed(unsigned request) {
  const Call call = std::move(calls_.extract(request).mapped());
  if (call.advice) {
    record(*call.advice);
    ports_.dialogue.charge(request, charge_of(call.usage));
    ports_.dialogue.tell_advice(request, {call.advice->text, call.advice->ok});
  } else {
    record(ToldFailed{request});
    ports_.dialogue.fail(request);
  }
}

std::optional<double> ModelSource::best() const {
  const search::Trial* best = ports_.dialogue.search().best();
  return best ? std::optional(best->verdict.measurement.speedup.median) : std::nullopt;
}

// Replies that come while the line ends are paid for: a resumed run shall have them. The other calls are stopped, and
// say at once what they may have cost.
void ModelSource::end() {
  ending_ = true;
  for (auto& [request, call] : calls_) call.stop.request_stop();
  const auto start = Clock::now();
  while (ports_.spending.in_flight() > 0 && Clock::now() - start < time_to_stop) line_.serve(pulse);
}

void ModelSource::salvage(unsigned request, llm::Outcome& outcome) {
  if (calls_.at(request).candidate) return take_opinion(request, outcome);
  if (auto* reply = std::get_if<llm::Reply>(&outcome)) {
    ports_.spending.settle(request, reply->usage, ports_.dialogue.question(request).request.operator_name);
    record(Replied{request, std::move(reply->text), std::move(reply->model), reply->seconds, reply->usage});
  } else {
    const auto& failure = std::get<llm::Failure>(outcome);
    settle(request, failure);
    record(CallFailed{request, failure.what, failure.spent, true});
  }
}

// A trial that the recording tells of, with the samples that the journal still has.
void ModelSource::recall(const ScriptedTrial& done, const Journal& journal) {
  const ToldTrial& told = done.told;
  const Proposal& proposal = done.proposal;
  const Journal::Entry* known = journal.find(told.fingerprint);
  const unsigned trial = told.duplicate_of.value_or(done.trial);
  if (done.opinion && !told.duplicate_of) count(*done.opinion, told.verdict);
  line_.know(proposal.written.empty() ? done.provenance.reply : frontend::fingerprint(proposal.written), trial);
  // Nobody judged a duplicate's default choice.
  if (!proposal.written.empty() && (proposal.tunables.empty() || !told.choice.empty()))
    line_.know(frontend::fingerprint(proposal.candidate.source), trial);
  if (known && !known->object.empty() && proposal.tunables.empty()) line_.know(known->object, trial);
  if (told.duplicate_of)
    line_.setbacks().add(Setbacks::Kind::duplicate);
  else
    line_.recall({done.trial, proposal.candidate, known ? known->verdict : told.verdict, done.provenance});
}

void ModelSource::resume(Played played, const Journal& journal) {
  unsigned call = 0;
  for (const auto& [on, usage] : played.spent) {
    ports_.spending.settle(--call, usage, on);
    if (on == opinion_calls) opinions_.paid(usage);
  }
  for (const ScriptedTrial& done : played.trials) recall(done, journal);
  if (!played.trials.empty()) ports_.progress.note(fmt::format("resuming: {} trials are known", line_.counts().total));
  for (const auto& [request, made] : played.open) {
    line_.open(request);
    Call& open = calls_[request];
    if (!made.answer) {
      held_.push_back(request);
      continue;
    }
    open.stage = Call::Stage::answered;
    if (const auto* reply = std::get_if<Replied>(&*made.answer)) {
      open.usage = reply->usage;
      open.provenance = {reply->model, made.prompt, cache::sha256(reply->text)};
      if (made.opinion) {
        open.had_opinion = true;
        open.opinion = search::read_opinion(made.opinion->text);
        open.usage += made.opinion->usage;
      }
      interpret(request, reply->text);
    } else {
      line_.pass(request);
    }
  }
  if (!finished() && !line_.has_enough()) send_held();
}

}  // namespace hone::tune
