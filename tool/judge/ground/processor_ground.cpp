#include "tool/judge/ground/processor_ground.h"

#include <algorithm>

#include "tool/os/files/processor_kind.h"
#include "tool/os/files/usable_memory.h"

namespace hone::judge {
namespace {

constexpr std::size_t most_slots = 64;
constexpr std::size_t pool_bytes = 64u << 20;  // of one problem: to draw and to keep more takes too long
// What the calls of one batch touch, each in a slot of its own: within the second-level cache.
constexpr std::size_t batch_bytes = 1u << 20;
// Small arrays rotate within this, to stay as warm as they are in a program.
constexpr std::size_t cached_bytes = 256u << 10;
constexpr double core_bytes_per_second = 400e9;  // that one core could store: 64 bytes a cycle, 6 GHz

}  // namespace

std::string ProcessorGround::machine() const {
  return os::processor_kind();
}

std::size_t ProcessorGround::memory_limit(std::size_t wanted) {
  return wanted == 0 ? os::usable_memory() : wanted;
}

// Slots for so many calls, each its own: a call whose output the next one overwrites could be left out unseen.
std::size_t ProcessorGround::slots(const SlotNeed& need) {
  std::size_t slots = need.slot_bytes > pool_bytes / 2 ? 1 : std::max<std::size_t>(2, cached_bytes / need.slot_bytes);
  if (need.restores) slots = std::max(slots, std::min(most_slots, pool_bytes / need.slot_bytes));
  slots = std::clamp<std::size_t>(slots, 1, most_slots);
  return std::max(slots, std::min(need.calls, batch_bytes / need.slot_bytes));
}

TimingTurn ProcessorGround::take_turn(bool) {
  return {.lock = TurnLock::acquire("cpu")};
}

double ProcessorGround::stored_per_second(unsigned threads) {
  return core_bytes_per_second * threads;
}

}  // namespace hone::judge
