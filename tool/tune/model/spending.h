// What a run may spend on a language model, and what it has spent: tokens and money, each a hard stop.
//
// A call is admitted only when the most that it can come to fits into what is left after all that is in flight; so the
// limits hold even when every open reply is as long as it may be. What a stopped call costs nobody says: it counts
// against the limits as if it had come to all it could, and is told apart from what was spent. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tool/llm/client.h"
#include "tool/report/progress.h"

namespace hone::tune {

class Spending {
 public:
  struct Limits {
    std::optional<std::uint64_t> tokens;  // in and out together
    std::optional<double> cost;
  };

  explicit Spending(Limits limits) : limits_(limits) {}

  // Sets `most` aside for the call; false: it might break a limit, and must not be made.
  bool admit(unsigned request, const llm::Usage& most);
  // What the call came to; gives back what was set aside. `on`: what for ("mutation").
  void settle(unsigned request, const llm::Usage& actual, const std::string& on);

  // The call was stopped; `most`: what it may have come to.
  void settle_stopped(unsigned request, const llm::Usage& most);

  unsigned in_flight() const { return static_cast<unsigned>(open_.size()); }
  bool limited() const { return limits_.tokens || limits_.cost; }
  const report::Spent& spent() const { return spent_; }
  std::string text() const;  // "12 calls, 34100 tokens in and 12050 out, cost 0.31 (crossover 4, init 5, …)"

 private:
  void give_back(unsigned request);
  bool fits(const llm::Usage& most) const;

  Limits limits_;
  std::map<unsigned, llm::Usage> open_;
  llm::Usage set_aside_;
  llm::Usage total_;
  llm::Usage stopped_;  // at most
  unsigned calls_stopped_ = 0;
  std::map<std::string, unsigned> calls_;  // by what for
  report::Spent spent_;
};

}  // namespace hone::tune
