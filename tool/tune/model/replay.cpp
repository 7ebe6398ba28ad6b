#include "tool/tune/model/replay.h"

#include <fmt/format.h>

#include "cache/digest.h"

namespace hone::tune {
namespace {

class Replay {
 public:
  explicit Replay(Dialogue& dialogue) : dialogue_(dialogue) { played_.remembered = dialogue.search().memory(); }

  Result<void> operator()(const Asked& event) {
    HONE_TRY(const Question* question, dialogue_.ask());
    if (!question || question->request.number != event.request ||
        question->request.operator_name != event.operator_name)
      return failure(fmt::format("the search asks otherwise than was recorded (at request {})", event.request), "",
                     "another version of Hone recorded it; without --resume a run starts anew");
    Asked asked{event.request, event.operator_name, event.model, digest_of(question->prompt), question->prompt};
    if (!played_.different_prompt && asked.digest != event.digest) played_.different_prompt = event.request;
    played_.open[event.request].prompt = event.digest;
    played_.asked.push_back(std::move(asked));
    return {};
  }
  Result<void> operator()(const Sent& event) {
    const auto open = played_.open.find(event.request);
    if (open == played_.open.end()) return misfit(event.request);
    lose(event.request, open->second);
    open->second.sent = event.most;
    return {};
  }
  Result<void> operator()(const Remembered&) {
    played_.remembered = dialogue_.search().memory();
    return {};
  }
  Result<void> operator()(const Replied& event) { return answered(event.request, event); }
  Result<void> operator()(const OpinionAsked& event) {
    const auto open = played_.open.find(event.request);
    return open != played_.open.end() && open->second.answer ? Result<void>{} : misfit(event.request);
  }
  Result<void> operator()(const Opined& event) {
    const auto open = played_.open.find(event.request);
    if (open == played_.open.end() || !open->second.answer) return misfit(event.request);
    open->second.sent.reset();
    if (!event.again) open->second.opinion = event;
    played_.spent.emplace_back(opinion_calls, event.usage);
    return {};
  }
  Result<void> operator()(const CallFailed& event) {
    if (!event.again) return answered(event.request, event);
    const auto open = played_.open.find(event.request);
    if (open == played_.open.end()) return misfit(event.request);
    open->second.sent.reset();
    spend(event.request, event.usage);
    return {};
  }

  Result<void> operator()(const ToldTrial& event) {
    const std::string prompt = prompt_of(event.request);
    const std::optional<Opined> opinion = opinion_of(event.request);
    HONE_TRY(const std::optional<Replied> reply, close(event.request));
    const Question& question = dialogue_.question(event.request);
    if (!reply || question.request.kind != search::RequestKind::candidate) return misfit(event.request);
    ScriptedTrial trial{0,
                        question.request.operator_name,
                        dialogue_.without_code(event.request),
                        event,
                        {reply->model, prompt, cache::sha256(reply->text)}};
    if (opinion) trial.opinion = search::read_opinion(opinion->text);
    if (Answer answer = dialogue_.read(event.request, reply->text); auto* proposal = std::get_if<Proposal>(&answer))
      trial.proposal = std::move(*proposal);
    if (!event.choice.empty()) {
      if (event.choice.size() != trial.proposal.tunables.size()) return misfit(event.request);
      for (std::size_t i = 0; i < event.choice.size(); ++i)
        if (event.choice[i] >= trial.proposal.tunables[i].values.size()) return misfit(event.request);
      trial.proposal.candidate = trial.proposal.chosen(event.choice);
    }
    if (event.duplicate_of && *event.duplicate_of >= dialogue_.search().trials().size()) return misfit(event.request);
    llm::Usage usage = reply->usage;
    if (opinion) usage += opinion->usage;
    dialogue_.charge(event.request, charge_of(usage));
    trial.trial = dialogue_.tell(event.request, trial.proposal, event.verdict, event.duplicate_of, event.profile);
    played_.trials.push_back(std::move(trial));
    return {};
  }
  Result<void> operator()(const ToldAdvice& event) {
    HONE_TRY(const std::optional<Replied> reply, close(event.request));
    if (!reply || dialogue_.question(event.request).request.kind != search::RequestKind::advice)
      return misfit(event.request);
    dialogue_.charge(event.request, charge_of(reply->usage));
    dialogue_.tell_advice(event.request, {event.text, event.ok});
    return {};
  }
  Result<void> operator()(const ToldFailed& event) {
    HONE_CHECK(close(event.request));
    dialogue_.fail(event.request);
    return {};
  }

  Played take() {
    for (auto& [request, open] : played_.open) lose(request, open);
    return std::move(played_);
  }

 private:
  tl::unexpected<Error> misfit(unsigned request) const {
    return failure(fmt::format("the recording contradicts itself (at request {})", request), "",
                   "part of the file is missing or was changed");
  }
  template <class Answer>
  Result<void> answered(unsigned request, const Answer& answer) {
    const auto open = played_.open.find(request);
    if (open == played_.open.end()) return misfit(request);
    open->second.answer = answer;
    open->second.sent.reset();
    spend(request, answer.usage);
    return {};
  }
  // A kill came between a call and its answer: it may have cost all that it could.
  void lose(unsigned request, OpenCall& open) {
    if (open.sent && open.answer) {
      played_.spent.emplace_back(opinion_calls, *open.sent);
    } else if (open.sent) {
      spend(request, *open.sent);
    }
    open.sent.reset();
  }
  void spend(unsigned request, const llm::Usage& usage) {
    played_.spent.emplace_back(dialogue_.question(request).request.operator_name, usage);
  }
  std::string prompt_of(unsigned request) const {
    const auto open = played_.open.find(request);
    return open == played_.open.end() ? "" : open->second.prompt;
  }
  std::optional<Opined> opinion_of(unsigned request) const {
    const auto open = played_.open.find(request);
    return open == played_.open.end() ? std::nullopt : open->second.opinion;
  }
  // The reply, if there was one.
  Result<std::optional<Replied>> close(unsigned request) {
    const auto open = played_.open.find(request);
    if (open == played_.open.end()) return misfit(request);
    std::optional<Replied> reply;
    if (open->second.answer)
      if (const auto* replied = std::get_if<Replied>(&*open->second.answer)) reply = *replied;
    played_.open.erase(open);
    return reply;
  }

  Dialogue& dialogue_;
  Played played_;
};

}  // namespace

search::Start start_of(const RecordingHeader& header) {
  auto memory = search::Memory::parse(header.memory);
  return {.seeds = header.seeds,
          .models = header.models,
          .memory = memory ? std::move(*memory) : search::Memory{},
          .state = search::state_of(header.facts, header.facts.profile)};
}

Result<std::unique_ptr<search::Search>> search_of(const RecordingHeader& header) {
  HONE_TRY(const auto strategy, search::parse_strategy(header.strategy));
  if (strategy.proposer != "model")
    return failure(fmt::format("the recorded strategy '{}' asks no model", strategy.name), "",
                   "the recording was changed; name another one");
  return search::make_model_search(strategy, start_of(header), header.seed);
}

double charge_of(const llm::Usage& usage) {
  return usage.cost > 0 ? usage.cost : static_cast<double>(usage.input_tokens + usage.output_tokens);
}

Result<Played> play(const Recording& recording, Dialogue& dialogue) {
  Replay replay(dialogue);
  for (const Event& event : recording.events) HONE_CHECK(std::visit(replay, event));
  return replay.take();
}

}  // namespace hone::tune
