// What a model's opinions of candidates were worth: how often it was right, what they cost, and what they spare.
//
// A candidate that was doubted and judged all the same says whether the doubt was right; one that was not judged says
// nothing. Counts alone; not thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "tool/llm/client.h"
#include "tool/model/verdict.h"
#include "tool/search/prompt/reply.h"

namespace hone::tune {

class Opinions {
 public:
  void paid(const llm::Usage& usage);  // a call; also one that gave no opinion
  void judged(const search::Opinion& opinion, const Verdict& verdict);
  void left_out();  // doubted, and not judged

  // "opinions: 12 calls, 34100 tokens; 4 candidates doubted, …": for the end of a run; "" where nobody was asked.
  std::string text() const;

 private:
  struct Group {
    unsigned right = 0, wrong = 0;
  };
  unsigned calls_ = 0, left_out_ = 0;
  std::uint64_t tokens_ = 0;
  Group doubted_, trusted_;
  double seconds_ = 0;  // that judging the doubted took
};

// The verdict of a candidate that was left out.
Verdict doubted(const search::Opinion& opinion);

}  // namespace hone::tune
