#include "tool/judge/time/work_outside_calls.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {
namespace {

constexpr double free_share = 0.005, free_seconds = 0.25e-3;  // the clock's own error
constexpr double mapping_slack = 1.25;                        // to map the same takes not always the same time …
constexpr double mapping_slack_of_a_team = 2;                 // … the less so the more threads have to hear of it
constexpr double renewing_slack = 4, renewing_share = 0.05;   // who uses more memory leaves more to fill
constexpr double refused_seconds = 5e-3, refused_seconds_of_a_sleeping_team = 1e-3;
// Threads that wait for work spin for a moment; one that works on would take as long as the calls do.
constexpr double refused_share = 0.1, refused_share_of_a_spinning_team = 0.7, refused_share_of_a_sleeping_team = 0.05;

// What the device's own wait for its end varies by is free; a tenth of a sample and more is refused.
constexpr double free_device_seconds = 10e-6, refused_device_share = 0.1, refused_device_seconds = 0.1e-3;
constexpr double disturbed_seconds = 0.5e-3;  // until a device is free that nothing else uses

double late_seconds(const Work& reference, const Work& candidate, double slack = mapping_slack) {
  return std::max(0.0, candidate.beside() - reference.beside()) +
         std::max(0.0, candidate.mapping - slack * reference.mapping) +
         std::max(0.0, candidate.renewing - renewing_slack * reference.renewing - renewing_share * candidate.calls);
}

// Where there is no better one, what follows the original's samples, unless the candidate is in their way.
double alone_of(const Afterwards& after) {
  return after.idle && after.reference - after.alone <= disturbed_seconds ? after.reference : after.alone;
}

}  // namespace

double charge_for_late_work(const Work& reference, const Work& candidate, unsigned threads) {
  const double late = late_seconds(reference, candidate);
  if (threads != 1 || candidate.calls <= 0 || late <= free_share * candidate.calls + free_seconds) return 1;
  return 1 + late / candidate.calls;
}

double charge_for_device_work(const Afterwards& after) {
  const double late = after.candidate - alone_of(after);
  if (after.sample <= 0 || late <= free_share * after.sample + free_device_seconds) return 1;
  return 1 + late / after.sample;
}

std::string refusal_of_device_work(const Afterwards& after) {
  if (const double late = after.reference - after.alone; late > disturbed_seconds)
    return fmt::format(
        "keeps the device busy while the original is timed: it is free {:.3g} s later than without it, unless another "
        "program uses it",
        late);
  const double late = after.candidate - alone_of(after);
  if (late <= refused_device_share * after.sample + refused_device_seconds) return "";
  return fmt::format("leaves work on the device that runs after its calls: {:.3g} s behind {:.3g} s of calls", late,
                     after.sample);
}

std::string refusal_of_late_work(const Work& reference, const Work& candidate, unsigned threads, Waiting waiting) {
  double late = 0, share = refused_share, seconds = refused_seconds;
  if (threads == 1) {
    late = late_seconds(reference, candidate);
  } else if (waiting == Waiting::spins) {
    late = candidate.beside();
    share = refused_share_of_a_spinning_team;
  } else {
    late = late_seconds(reference, candidate, mapping_slack_of_a_team);
    share = refused_share_of_a_sleeping_team;
    seconds = refused_seconds_of_a_sleeping_team;
  }
  if (late <= share * candidate.calls + seconds) return "";
  return fmt::format("works while it is not timed: {:.3g} s beside {:.3g} s in its calls", late, candidate.calls);
}

}  // namespace hone::judge
