// A stop token that fires when the caller's does, or when the time is up, whichever comes first.
//
// The time is that of the search's clock, which may stand still (slice.h). The thread that watches it lives as long as
// the Deadline. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "tool/tune/trial/slice.h"

namespace hone::tune {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  // `slice`: borrowed; null: the steady clock's time.
  Deadline(std::stop_token outer, Clock::time_point end, const Slice* slice = nullptr);

  std::stop_token token() const { return source_.get_token(); }
  bool stopped() const { return source_.stop_requested(); }
  double seconds_left() const;
  Clock::time_point now() const { return slice_ ? slice_->now() : Clock::now(); }

  // Brings the end forward (or back, while it has not come).
  void move(Clock::time_point end);

 private:
  void watch(std::stop_token finished);

  const Slice* const slice_;
  mutable std::mutex mutex_;
  std::condition_variable_any moved_;
  Clock::time_point end_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> outer_;
  std::jthread watch_;  // last: it uses everything above
};

// Seconds from `now`, without overflow where a user means "for ever".
Deadline::Clock::time_point seconds_from(Deadline::Clock::time_point now, double seconds);
inline Deadline::Clock::time_point seconds_from_now(double seconds) {
  return seconds_from(Deadline::Clock::now(), seconds);
}

}  // namespace hone::tune
