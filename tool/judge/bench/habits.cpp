#include "tool/judge/bench/habits.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {
namespace {

constexpr std::uint64_t bearable_stack = 256u << 10;  // beyond the original's
// Up to here a runner does not tell how much was touched.
constexpr std::uint64_t unmeasured_stack = 64u << 10;

constexpr struct {
  runner::Changed bit;
  const char* words;
} habit_changes[] = {
    {runner::changed_rounding, "leaves the rounding mode changed"},
    {runner::changed_traps, "leaves changed what becomes of denormals, or which floating-point exceptions trap"},
    {runner::changed_x87, "leaves the x87 control word changed"},
    {runner::changed_x87_stack, "leaves values on the x87 stack (MMX without emms)"},
    {runner::changed_direction, "leaves the direction flag set"},
    {runner::changed_signals, "leaves other signals blocked than before"},
    {runner::changed_openmp_threads, "leaves OpenMP's number of threads changed"},
    {runner::changed_openmp_settings, "leaves OpenMP's settings changed (dynamic, nested or schedule)"},
    {runner::changed_environment, "leaves the environment changed"},
    {runner::changed_device, "leaves the device's limits changed, or what it prefers caches for"},
};

// 0: none, or only in one of the stretches.
std::uint64_t steady(std::uint64_t before, std::uint64_t between, std::uint64_t after, unsigned calls) {
  if (between <= before || after <= between) return 0;
  const std::uint64_t first = between - before, second = after - between;
  return std::max(first, second) <= 2 * std::min(first, second) ? second / calls : 0;
}

constexpr std::uint64_t device_block = 2u << 20;  // that a driver takes at a time

std::uint64_t difference(std::uint64_t one, std::uint64_t other) {
  return std::max(one, other) - std::min(one, other);
}

}  // namespace

void Habits::add(const runner::Balance& balance) {
  changed |= balance.changed;
  stack_bytes = std::max(stack_bytes, balance.stack_bytes);
}

std::string beyond(const Habits& original, const runner::Balance& candidate) {
  for (const auto& [bit, words] : habit_changes)
    if (candidate.changed & bit & ~original.changed) return words;
  const std::uint64_t needed = std::max(original.stack_bytes, unmeasured_stack);
  if (candidate.stack_bytes <= needed + bearable_stack) return "";
  return fmt::format("needs {} KiB of stack where the original needs {}{}", candidate.stack_bytes >> 10,
                     original.stack_bytes ? "" : "at most ", needed >> 10);
}

std::optional<Holdings> growth(const Holdings& before, const Holdings& between, const Holdings& after, unsigned calls) {
  const Holdings each{steady(before.heap_bytes, between.heap_bytes, after.heap_bytes, calls),
                      steady(before.mapped_bytes, between.mapped_bytes, after.mapped_bytes, calls),
                      steady(before.threads, between.threads, after.threads, calls), 0,
                      steady(before.pooled_bytes, between.pooled_bytes, after.pooled_bytes, calls)};
  return each.any() ? std::optional(each) : std::nullopt;
}

std::optional<std::uint64_t> device_growth(std::span<const std::uint64_t> used, unsigned calls, std::size_t most) {
  const std::size_t stretches = used.empty() ? 0 : used.size() - 1, enough = most / 2 + 1;
  std::size_t idle = 0;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::uint64_t grown = used[i + 1] - std::min(used[i], used[i + 1]);
    idle += grown == 0;
    if (grown == 0) continue;
    std::size_t alike = 0;
    for (std::size_t j = 0; j < stretches; ++j)
      alike += used[j + 1] > used[j] && difference(used[j + 1] - used[j], grown) <= device_block;
    if (alike >= enough) return grown / calls;
  }
  if (idle >= enough || stretches >= most) return 0;
  return std::nullopt;
}

std::string growth_words(const Holdings& each) {
  if (each.threads > 0)
    return fmt::format("leaves {} behind with each call", each.threads == 1 ? "a thread" : "threads");
  if (each.heap_bytes > 0) return fmt::format("leaks {} bytes with each call", each.heap_bytes);
  if (const std::uint64_t device = std::max(each.pooled_bytes, each.device_bytes); device > 0)
    return fmt::format("keeps {} bytes more of the device's memory with each call", device);
  return fmt::format("keeps {} bytes more mapped with each call", each.mapped_bytes);
}

}  // namespace hone::judge
