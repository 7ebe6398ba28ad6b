#include "tool/tune/trial/slice.h"

#include <algorithm>
#include <cmath>

namespace hone::tune {

std::optional<Slice::Piece> Slice::begin(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  if (!moved_.wait(lock, stop, [this] { return served_; })) return std::nullopt;
  ++under_way_;
  return Piece(this);
}

void Slice::end_piece() {
  {
    const std::lock_guard lock(mutex_);
    if (--under_way_ == 0 && !served_) stand_still();
  }
  moved_.notify_all();
}

void Slice::stand_still() {
  if (!suspended_at_) suspended_at_ = Clock::now();
}

Slice::Clock::time_point Slice::now() const {
  const std::lock_guard lock(mutex_);
  return suspended_at_.value_or(Clock::now()) - stood_still_;
}

void Slice::enter(Stage stage) {
  {
    const std::lock_guard lock(mutex_);
    state_.stage = stage;
  }
  changed_();
}

// The first trial tells little of those that follow: nearly every search gains most with it.
void Slice::told(double best, double share_of_limit) {
  const std::lock_guard lock(mutex_);
  if (++state_.trials > 1 && best > state_.best) state_.gained += std::log(best / state_.best);
  state_.best = std::max(state_.best, best);
  state_.share_of_limit = share_of_limit;
}

void Slice::reserve(double seconds) {
  const std::lock_guard lock(mutex_);
  state_.reserve = seconds;
}

double Slice::allotted() const {
  const std::lock_guard lock(mutex_);
  if (!slice_ends_) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(*slice_ends_ - Clock::now()).count();
}

Slice::State Slice::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Slice::resume(double seconds) {
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (suspended_at_) stood_still_ += now - *std::exchange(suspended_at_, std::nullopt);
    slice_ends_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    served_ = true;
  }
  moved_.notify_all();
}

void Slice::suspend() {
  const std::lock_guard lock(mutex_);
  served_ = false;
  if (under_way_ == 0) stand_still();
}

void Slice::wait_until_idle() {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [this] { return under_way_ == 0; });
}

}  // namespace hone::tune
