// How a client paces itself: how much at once, how often again, after what pause.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace hone::llm {

struct Pace {
  unsigned concurrency = 8;
  unsigned attempts = 5;                              // of one call
  std::chrono::milliseconds first_pause{1'000};       // doubles with each attempt
  std::chrono::milliseconds longest_pause{60'000};    // that the doubling reaches
  std::chrono::milliseconds longest_obeyed{300'000};  // a provider that asks for more is given up on
  unsigned failures_in_a_row = 8;                     // calls; after so many without a reply the provider is down
  std::uint64_t seed = 0;                             // of the jitter
};

// The pause after attempt `attempt` (from 1) of call `call`: exponential, between half and the whole of it by chance,
// and no shorter than the provider asked for. nullopt: no further attempt.
std::optional<std::chrono::milliseconds> pause_after(const Pace& pace, std::uint64_t call, unsigned attempt,
                                                     std::optional<std::chrono::seconds> retry_after);

}  // namespace hone::llm
