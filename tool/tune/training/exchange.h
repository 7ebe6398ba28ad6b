// What a recording teaches: each prompt with its reply, what the reply came to, and a reward for it.
//
// The reward of code, by its verdict:
//   0                   the reply held no code, the gate refused it, or it did not compile
//   0.1                 it compiled and was wrong
//   0.3                 it was right, and no gain was accepted
//   0.3 + ln(speedup)   it was right and accepted as faster; speedup is the median over the weighted problems
// The same program again has the verdict of the first. Advice (a plan, a judge's finding) has the verdict and the
// reward of the best candidate that was asked with it.
//
// What was never judged is no exchange: calls that failed, replies on which a run was killed, advice that nothing
// followed, and advice in recordings that do not say what followed it. Pure.
#pragma once

#include <string>
#include <vector>

#include "tool/llm/client.h"
#include "tool/model/verdict.h"
#include "tool/search/request.h"
#include "tool/tune/model/recording.h"

namespace hone::tune {

struct Exchange {
  unsigned request = 0;
  std::string operator_name;
  search::RequestKind kind = search::RequestKind::candidate;
  std::vector<search::PromptMessage> prompt;
  std::string prompt_digest;
  std::string reply;
  std::string model;
  llm::Usage usage;
  std::string name;        // the candidate's; "" for advice
  bool duplicate = false;  // of an earlier trial, or of the original
  Verdict verdict;         // without samples
  double reward = 0;
};

double reward_of(const Verdict& verdict);

struct Exchanges {
  std::vector<Exchange> judged;  // by request
  std::size_t unjudged = 0;      // replies that are not among them
};

Exchanges exchanges_of(const Recording& recording);

}  // namespace hone::tune
