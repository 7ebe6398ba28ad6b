#include "tool/tune/model/dialogue.h"

#include <algorithm>

#include <fmt/format.h>

namespace hone::tune {

Dialogue::Dialogue(search::Search& search, search::TaskFacts facts, search::Materials materials,
                   search::Templates templates)
    : search_(search), facts_(std::move(facts)), materials_(std::move(materials)), templates_(std::move(templates)) {}

Result<const Question*> Dialogue::ask() {
  auto request = search_.ask();
  if (!request) return nullptr;
  HONE_TRY(auto prompt, prompt_of(*request));
  const unsigned number = request->number;
  return &open_.insert_or_assign(number, Question{std::move(*request), std::move(prompt)}).first->second;
}

Result<std::vector<search::PromptMessage>> Dialogue::prompt_of(const search::Request& request) const {
  return search::render(search::compose(request, search_.trials(), facts_, materials_), templates_);
}

Result<std::vector<search::PromptMessage>> Dialogue::opinion_prompt(const Candidate& candidate) const {
  return search::render(search::brief_of_opinion(candidate, facts_), templates_);
}

Answer Dialogue::read(unsigned number, const std::string& reply) const {
  const search::Request& request = question(number).request;
  const std::vector<search::Trial>& trials = search_.trials();
  if (request.kind == search::RequestKind::advice) {
    const bool parent_is_right = request.parents.empty() || trials[request.parents.front()].verdict.right;
    const auto advice = search::parse_advice(reply, search::advice_kind(request.operator_name, parent_is_right));
    return advice ? AdviceText{advice->told(), true} : AdviceText{reply, false};
  }
  search::ReplyExpectation expected{facts_.function, {}};
  for (const unsigned parent : request.parents) expected.parents.push_back(trials[parent].candidate.source);
  expected.parents.push_back(trials.front().candidate.source);  // some quote the original
  auto parsed = search::parse_reply(reply, expected);
  if (!parsed) return parsed.error();
  auto tunables = search::find_tunables(parsed->source);
  if (!tunables) return search::Unreadable{tunables.error()};

  Proposal proposal = without_code(number);
  proposal.written = search::without_hone_header(parsed->source);
  proposal.tunables = std::move(*tunables);
  proposal.predicted_gain = parsed->predicted_gain;
  if (!parsed->name.empty()) proposal.candidate.name = parsed->name;
  proposal.title = proposal.candidate.name;
  proposal.candidate.thought = std::move(parsed->thought);
  proposal.candidate.source =
      proposal.tunables.empty()
          ? proposal.written
          : search::resolve_tunables(proposal.written, proposal.tunables, search::default_choice(proposal.tunables));
  return proposal;
}

Proposal Dialogue::without_code(unsigned number) const {
  const search::Request& request = question(number).request;
  Proposal proposal;
  proposal.candidate.name = fmt::format("{} {}", request.operator_name, number);
  proposal.candidate.operator_name = request.operator_name;
  proposal.candidate.parents = request.parents;
  return proposal;
}

unsigned Dialogue::tell(unsigned number, const Proposal& proposal, const Verdict& verdict,
                        std::optional<unsigned> duplicate_of, const std::string& profile) {
  search::Request request = std::move(open_.at(number).request);
  open_.erase(number);
  if (proposal.predicted_gain) request.predicted_gain = proposal.predicted_gain;
  const unsigned trial = search_.tell(request, proposal.candidate, verdict, duplicate_of);
  if (!profile.empty()) {
    materials_.profiles[trial] = profile;
    search::TaskFacts facts = facts_;
    facts.definition = proposal.candidate.source;
    search_.profiled(trial, search::state_of(facts, profile));
  }
  return trial;
}

void Dialogue::tell_advice(unsigned number, const AdviceText& advice) {
  search_.tell_advice(open_.at(number).request, advice.text, advice.ok);
  open_.erase(number);
}

void Dialogue::fail(unsigned number) {
  search_.fail(open_.at(number).request);
  open_.erase(number);
}

void Dialogue::charge(unsigned number, double cost) {
  search_.charge(open_.at(number).request, cost);
}

}  // namespace hone::tune
