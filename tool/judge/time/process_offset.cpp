#include "tool/judge/time/process_offset.h"

#include <algorithm>
#include <cmath>

namespace hone::judge {
namespace {

constexpr double doubtful = 0.35;             // of the difference: it was found with the original's launches
constexpr double most = 0.2;                  // of a call
constexpr double presumed_difference = 0.05;  // of processes that were not compared; 0.02 is the most that was seen
constexpr double clearly_faster = 2;          // then no such difference makes up for it

}  // namespace

OffsetCorrection correct_offset(const std::optional<ProcessOffset>& offset, double reference, double candidate) {
  const double call = std::max(candidate, 1e-10);
  const OffsetCorrection presumed{0, presumed_difference};
  if (!offset) return presumed;
  const double error = std::hypot(offset->error, doubtful * offset->more) / call;
  // How much calls of the original scatter says nothing of a candidate that takes a small part of them.
  if (error > presumed_difference && reference >= clearly_faster * call) return presumed;
  return {std::clamp(offset->more, -most * call, most * call), error};
}

}  // namespace hone::judge
