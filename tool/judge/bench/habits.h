// What calls do beside their arguments and must not: leave the processor's modes or OpenMP's settings changed, take a
// deep stack, hold on to more memory with each call. What the original does itself, its candidates may. Pure: a
// runner's figures in, a sentence out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
};

// What each of as many calls added, where both stretches of calls added about the same: a cache that fills once does
// not. nullopt: nothing.
// What is in use on a device is left out: other processes take their share.
std::optional<Holdings> growth(const Holdings& before, const Holdings& between, const Holdings& after, unsigned calls);

// What each call added to a device's memory, by what was in use there before and after stretches of as many calls:
// more than half of all stretches, `most` of them, must have added as much. Other processes come and go at times, and
// not by the same amount. 0: nothing; nullopt: so few stretches do not tell.
std::optional<std::uint64_t> device_growth(std::span<const std::uint64_t> used, unsigned calls, std::size_t most);

// "leaks 64 bytes with each call"
std::string growth_words(const Holdings& of_each_call);

}  // namespace hone::judge
