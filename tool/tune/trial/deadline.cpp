#include "tool/tune/trial/deadline.h"

#include <algorithm>

namespace hone::tune {

Deadline::Deadline(std::stop_token outer, Clock::time_point end)
    : end_(end), outer_(std::move(outer), [this] { source_.request_stop(); }), watch_([this](std::stop_token finished) {
        std::unique_lock lock(mutex_);
        while (!finished.stop_requested() && Clock::now() < end_) {
          const Clock::time_point end = end_;
          moved_.wait_until(lock, finished, end, [&] { return end_ != end; });
        }
        lock.unlock();
        if (!finished.stop_requested()) source_.request_stop();
      }) {}

double Deadline::seconds_left() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(end_ - Clock::now()).count();
}

void Deadline::move(Clock::time_point end) {
  {
    const std::lock_guard lock(mutex_);
    end_ = end;
  }
  moved_.notify_all();
}

Deadline::Clock::time_point seconds_from_now(double seconds) {
  const double year = 366.0 * 24 * 3600;
  return Deadline::Clock::now() + std::chrono::duration_cast<Deadline::Clock::duration>(
                                      std::chrono::duration<double>(std::clamp(seconds, 0.0, year)));
}

}  // namespace hone::tune
