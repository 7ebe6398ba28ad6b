// A search and a language model talk: requests become prompts, replies become candidates or advice.
//
// Pure apart from its state: the same search, facts and outcomes give the same prompts, byte for byte. Requests that
// were asked stay open until they are told. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/prompt/compose.h"
#include "tool/search/prompt/render.h"
#include "tool/search/prompt/reply.h"
#include "tool/search/search.h"
#include "tool/tune/trial/proposal.h"

namespace hone::tune {

struct Question {
  search::Request request;
  std::vector<search::PromptMessage> prompt;
};

struct AdviceText {
  std::string text;
  bool ok = true;
};

using Answer = std::variant<Proposal, AdviceText, search::Unreadable>;

class Dialogue {
 public:
  // The search is borrowed.
  Dialogue(search::Search& search, search::TaskFacts facts, search::Materials materials,
           search::Templates templates = {});

  // The next question; null: there is none now. Error: a template of the user's is broken.
  Result<const Question*> ask();
  // What a request's prompt is, after what was told so far.
  Result<std::vector<search::PromptMessage>> prompt_of(const search::Request& request) const;
  // What a model is asked about a candidate that is not told yet.
  Result<std::vector<search::PromptMessage>> opinion_prompt(const Candidate& candidate) const;
  const Question& question(unsigned request) const { return open_.at(request); }
  std::size_t open() const { return open_.size(); }

  Answer read(unsigned request, const std::string& reply) const;
  Proposal without_code(unsigned request) const;  // what is told of a reply that held none

  // Each closes the request. `profile`: what is known of where the trial spends its time.
  unsigned tell(unsigned request, const Proposal& proposal, const Verdict& verdict,
                std::optional<unsigned> duplicate_of, const std::string& profile = {});
  void tell_advice(unsigned request, const AdviceText& advice);
  void fail(unsigned request);
  void charge(unsigned request, double cost);

  const search::Search& search() const { return search_; }

 private:
  search::Search& search_;
  search::TaskFacts facts_;
  search::Materials materials_;
  search::Templates templates_;
  std::map<unsigned, Question> open_;
};

}  // namespace hone::tune
