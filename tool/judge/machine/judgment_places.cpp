#include "tool/judge/machine/judgment_places.h"

#include <fmt/format.h>

namespace hone::judge {
namespace {

constexpr unsigned places = 16;  // with more judgments at once it no longer matters how many; each is a file in /tmp

}  // namespace

TurnLock JudgmentPlaces::place(unsigned number) const {
  return TurnLock::try_acquire(fmt::format("{}-place-{}", name_, number));
}

TurnLock JudgmentPlaces::take() const {
  for (unsigned number = 0; number < places; ++number)
    if (TurnLock taken = place(number); taken.held()) return taken;
  return {};
}

// Those who look at the same moment may see each other's looks as judgments, and take nothing: they look again.
TurnLock JudgmentPlaces::take_spare() const {
  TurnLock spare;
  unsigned taken = 0;
  for (unsigned number = 0; number < places; ++number) {
    TurnLock looked_at = place(number);
    if (!looked_at.held() && ++taken >= most_) return {};
    if (!spare.held()) spare = std::move(looked_at);
  }
  return spare;
}

}  // namespace hone::judge
