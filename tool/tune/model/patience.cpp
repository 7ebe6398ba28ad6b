#include "tool/tune/model/patience.h"

#include <algorithm>

namespace hone::tune {
namespace {

using Seconds = std::chrono::duration<double>;

double since(Patience::Clock::time_point start) {
  return Seconds(Patience::Clock::now() - start).count();
}

}  // namespace

Patience::Patience(const llm::Settings& models) : least_(0) {
  for (const llm::ModelSettings& model : models.models) least_ = std::max(least_, Seconds(model.timeout).count() / 4);
  least_ = std::min(least_, 15.0);
}

void Patience::answered(double seconds) {
  slowest_ = std::max(slowest_, seconds);
}

double Patience::seconds() const {
  return std::max(least_, 2 * slowest_);
}

bool Patience::overdue(Clock::time_point asked) const {
  return since(asked) > seconds();
}

bool Patience::hopeless(Clock::time_point asked) const {
  return slowest_ > 0 && since(asked) > 2 * seconds();
}

}  // namespace hone::tune
