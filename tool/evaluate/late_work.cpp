#include "tool/evaluate/late_work.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::evaluate {
namespace {

constexpr double free_share = 0.005, free_seconds = 0.25e-3;  // the clock's own error
constexpr double mapping_slack = 1.25;                        // to map the same takes not always the same time
constexpr double refused_seconds = 5e-3;
// Threads that wait for work spin for a moment; one that works on would take as long as the calls do.
constexpr double refused_share_alone = 0.1, refused_share_of_a_team = 0.7;

double late_seconds(const Work& reference, const Work& candidate) {
  return std::max(0.0, candidate.beside() - reference.beside()) +
         std::max(0.0, candidate.mapping - mapping_slack * reference.mapping);
}

}  // namespace

double charge_for_late_work(const Work& reference, const Work& candidate, unsigned threads) {
  const double late = late_seconds(reference, candidate);
  if (threads != 1 || candidate.calls <= 0 || late <= free_share * candidate.calls + free_seconds) return 1;
  return 1 + late / candidate.calls;
}

std::string refusal_of_late_work(const Work& reference, const Work& candidate, unsigned threads) {
  const bool alone = threads == 1;
  const double late = alone ? late_seconds(reference, candidate) : candidate.beside();
  const double share = alone ? refused_share_alone : refused_share_of_a_team;
  if (late <= share * candidate.calls + refused_seconds) return "";
  return fmt::format("works while it is not timed: {:.3g} s beside {:.3g} s in its calls", late, candidate.calls);
}

}  // namespace hone::evaluate
