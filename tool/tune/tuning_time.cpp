// What a tuning's time is, and what its end means.
#include <algorithm>

#include <fmt/format.h>

#include "tool/tune/tuning.h"

namespace hone::tune {

using report::Outcome;

// What ends all of it stays the end.
void Tuning::move_end(Deadline::Clock::time_point end) {
  whole_.move(end);
  if (slice().all_over().stop_requested()) whole_.move(start_);
}

// What is measured afresh has a slice of its own, as long as what is left of all kernels' time allows.
void Tuning::take_turn_for_finals() {
  slice().enter(Slice::Stage::ended);
  if (!slice().begin(whole_.token())) return;
  if (const double allotted = slice().allotted(); allotted < whole_.seconds_left())
    move_end(seconds_from(slice().now(), allotted));
}

// The budget as if all kernels got the same: what the winner's measurement and the longest looks are shares of.
double Tuning::planned_seconds() const {
  return std::min(task_.settings.budget_seconds, slice().planned());
}

// Under half of what was asked for: as good as nothing is known then. Only of time: nobody spends money twice unasked.
// A recording is as long as it is.
bool Tuning::ended_early() const {
  return out_of_time_ && !found_.complete && !task_.settings.replayed &&
         2 * found_.counts.total < task_.settings.trials;
}

std::string Tuning::ended_after() const {
  return fmt::format("the budget ended after {} of {} trials; the next tuning goes on", found_.counts.total,
                     task_.settings.trials);
}

Tuning::Decided Tuning::interrupted() {
  return user_stop_.stop_requested()
             ? end_without_result(Outcome::interrupted, "stopped before anything was accepted; the next tuning goes on")
             : end_without_result(Outcome::unfinished, "the budget ended before the search began");
}

// What was locked before stays.
Tuning::Decided Tuning::end_without_result(Outcome outcome, std::string message) {
  if (earlier_) take_figures(*earlier_);
  return decide(outcome, std::move(message));
}

double Tuning::seconds() const {
  return std::chrono::duration<double>(slice().now() - start_).count();
}

}  // namespace hone::tune
