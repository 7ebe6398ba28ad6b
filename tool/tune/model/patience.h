// How long a call to a model may take before others pass it, and before it is given up: by how long the others took.
//
// Neither says anything of the call itself: that ends by its own timeout. Not thread-safe.
#pragma once

#include <chrono>

#include "tool/llm/settings/model_settings.h"

namespace hone::tune {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(const llm::Settings& models);

  void answered(double seconds);
  // Twice as long as the slowest so far, and 15 s (less where a call has not even a minute).
  bool overdue(Clock::time_point asked) const;
  // Twice as long as overdue. Never before there was an answer: nobody knows how long this model takes.
  bool hopeless(Clock::time_point asked) const;
  double slowest() const { return slowest_; }

 private:
  double seconds() const;

  double least_;
  double slowest_ = 0;
};

}  // namespace hone::tune
