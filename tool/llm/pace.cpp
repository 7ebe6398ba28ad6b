#include "tool/llm/pace.h"

#include <algorithm>

namespace hone::llm {
namespace {

// splitmix64: a number for each call and attempt that does not depend on which thread came first.
double chance(std::uint64_t seed, std::uint64_t call, unsigned attempt) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15u * (call * 64 + attempt + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

std::optional<std::chrono::milliseconds> pause_after(const Pace& pace, std::uint64_t call, unsigned attempt,
                                                     std::optional<std::chrono::seconds> retry_after) {
  using std::chrono::milliseconds;
  if (attempt >= pace.attempts) return std::nullopt;
  if (retry_after && *retry_after > std::chrono::floor<std::chrono::seconds>(pace.longest_obeyed)) return std::nullopt;
  const double doubled =
      static_cast<double>(pace.first_pause.count()) * static_cast<double>(1ull << std::min(attempt - 1, 40u));
  const double whole = std::min(doubled, static_cast<double>(pace.longest_pause.count()));
  const milliseconds own(static_cast<std::int64_t>(whole * (0.5 + 0.5 * chance(pace.seed, call, attempt))));
  return std::max(own, milliseconds(retry_after.value_or(std::chrono::seconds(0))));
}

}  // namespace hone::llm
