#include "tool/search/credit.h"

#include <algorithm>
#include <cmath>

#include "tool/search/population.h"

namespace hone::search {
namespace {

constexpr std::size_t window = 16;                // recent verdicts: what worked long ago says little
constexpr double full_gain = 0.4054651081081644;  // ln 1.5: half as fast again is all one can ask of a step

}  // namespace

double Credit::of(const Verdict& verdict, double best) const {
  if (!verdict.right) return 0;
  const double here = std::log(std::max(fitness(verdict), 1e-3));
  const double there = std::log(std::max(best, 1.0));
  const double gain = verdict.faster ? std::clamp((here - there) / full_gain, 0.0, 1.0) : 0;
  const double near = there > 0 ? std::clamp(here / there, 0.0, 1.0) : 0;
  return 0.6 * gain + 0.15 * near + 0.4 * (1 - validity());
}

void Credit::count(bool right) {
  lately_.push_back(right);
  if (lately_.size() > window) lately_.pop_front();
}

double Credit::validity() const {
  const auto right = std::count(lately_.begin(), lately_.end(), true);
  return (static_cast<double>(right) + 2) / (static_cast<double>(lately_.size()) + 4);
}

}  // namespace hone::search
