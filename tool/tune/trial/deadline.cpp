#include "tool/tune/trial/deadline.h"

#include <algorithm>

namespace hone::tune {

Deadline::Deadline(std::stop_token outer, Clock::time_point end, const Slice* slice)
    : slice_(slice),
      end_(end),
      outer_(std::move(outer), [this] { source_.request_stop(); }),
      watch_([this](std::stop_token finished) { watch(std::move(finished)); }) {}

// What is left by a clock that may stand still is never more than what is left in truth: so it is looked at again.
void Deadline::watch(std::stop_token finished) {
  constexpr Clock::duration least = std::chrono::milliseconds(10);
  std::unique_lock lock(mutex_);
  while (!finished.stop_requested() && now() < end_) {
    const Clock::time_point end = end_;
    const Clock::duration left = slice_ ? std::max(end - now(), least) : end - now();
    moved_.wait_for(lock, finished, left, [&] { return end_ != end; });
  }
  lock.unlock();
  if (!finished.stop_requested()) source_.request_stop();
}

double Deadline::seconds_left() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(end_ - now()).count();
}

void Deadline::move(Clock::time_point end) {
  {
    const std::lock_guard lock(mutex_);
    end_ = end;
  }
  moved_.notify_all();
}

Deadline::Clock::time_point seconds_from(Deadline::Clock::time_point now, double seconds) {
  const double year = 366.0 * 24 * 3600;
  return now + std::chrono::duration_cast<Deadline::Clock::duration>(
                   std::chrono::duration<double>(std::clamp(seconds, 0.0, year)));
}

}  // namespace hone::tune
