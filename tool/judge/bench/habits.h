// What calls do beside their arguments and must not: leave the processor's modes or OpenMP's settings changed, take a
// deep stack, hold on to more memory with each call. What the original does itself, its candidates may. Pure: a
// runner's figures in, a sentence out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tool/runner/protocol.h"

namespace hone::judge {

// Of the original, as far as it was seen.
struct Habits {
  std::uint32_t changed = 0;      // bits of runner::Changed
  std::uint64_t stack_bytes = 0;  // the most

  void add(const runner::Balance& balance);
};

// "", or what the candidate does that the original does not: "leaves the rounding mode changed".
std::string beyond(const Habits& original, const runner::Balance& candidate);

// What a process holds: in malloc's books, and by the system's count; what is in use on a device, by everybody, and of
// the device's own pool by this process.
struct Holdings {
  std::uint64_t heap_bytes = 0, mapped_bytes = 0, threads = 0;
  std::uint64_t device_bytes = 0, pooled_bytes = 0;
  bool any() const { return heap_bytes || mapped_bytes || threads || device_bytes || pooled_bytes; }
  // In a count that other processes change, too: one look is no evidence.
  bool only_on_shared_device() const {
    return device_bytes && !heap_bytes && !mapped_bytes && !threads && !pooled_bytes;
  }
};

// What each of as many calls added, where both stretches of calls added about the same: a cache that fills once does
// not. A device's memory, which is everybody's, has to grow evenly. nullopt: nothing.
std::optional<Holdings> growth(const Holdings& before, const Holdings& between, const Holdings& after, unsigned calls);

// Whether two looks, of `calls` or more in each stretch, say the same of a device's memory.
bool as_much_on_device(const Holdings& one, const Holdings& other, unsigned calls);

// "leaks 64 bytes with each call"
std::string growth_words(const Holdings& of_each_call);

}  // namespace hone::judge
