#include "tool/judge/verify/race_gaps.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "tool/base/elf.h"

namespace hone::judge {
namespace {

// The functions of libgomp that openmp_order.cpp stands in front of.
constexpr std::string_view followed[] = {"GOMP_parallel",
                                         "GOMP_parallel_sections",
                                         "GOMP_parallel_loop_static",
                                         "GOMP_parallel_loop_dynamic",
                                         "GOMP_parallel_loop_guided",
                                         "GOMP_parallel_loop_nonmonotonic_dynamic",
                                         "GOMP_parallel_loop_nonmonotonic_guided",
                                         "GOMP_parallel_loop_runtime",
                                         "GOMP_parallel_loop_nonmonotonic_runtime",
                                         "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
                                         "GOMP_barrier",
                                         "GOMP_barrier_cancel",
                                         "GOMP_loop_end",
                                         "GOMP_loop_end_cancel",
                                         "GOMP_sections_end",
                                         "GOMP_sections_end_cancel",
                                         "GOMP_critical_start",
                                         "GOMP_critical_end",
                                         "GOMP_critical_name_start",
                                         "GOMP_critical_name_end",
                                         "GOMP_atomic_start",
                                         "GOMP_atomic_end",
                                         "GOMP_ordered_start",
                                         "GOMP_ordered_end",
                                         "GOMP_single_copy_start",
                                         "GOMP_single_copy_end",
                                         "GOMP_task",
                                         "GOMP_taskloop",
                                         "GOMP_taskloop_ull",
                                         "GOMP_taskwait",
                                         "GOMP_taskwait_depend",
                                         "GOMP_taskgroup_end"};

// The functions of libgomp that order nothing.
constexpr std::string_view orderless[] = {
    "GOMP_cancel", "GOMP_cancellation_point", "GOMP_taskyield", "GOMP_taskgroup_start", "GOMP_alloc", "GOMP_free"};
constexpr std::string_view orderless_ends[] = {"_next", "_start", "_end_nowait"};
constexpr std::string_view ordering_parts[] = {"doacross", "reduction", "target", "teams", "GOMP_parallel"};

bool is_followed(std::string_view name) {
  if (std::ranges::find(followed, name) != std::end(followed)) return true;
  if (std::ranges::find(orderless, name) != std::end(orderless)) return true;
  const auto in_name = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const auto at_end = [&](std::string_view end) { return name.ends_with(end); };
  return std::ranges::any_of(orderless_ends, at_end) && std::ranges::none_of(ordering_parts, in_name);
}

}  // namespace

std::span<const std::string_view> followed_functions() {
  return followed;
}

RaceGap find_race_gap(std::string_view object) {
  if (object.empty()) return {"threads (no ThreadSanitizer is installed for this compiler)", false};
  for (const std::string& name : imported_symbols(object)) {
    if (name == "__tsan_atomic_thread_fence")
      return {"a memory fence (atomic_thread_fence, __sync_synchronize, omp flush)", true};
    if (name == "omp_fulfill_event") return {"a detached OpenMP task", true};
    if (name.starts_with("GOMP_") && !is_followed(name)) return {fmt::format("OpenMP's {}", name), true};
    if (name.starts_with("__kmpc_")) return {"LLVM's OpenMP", false};
  }
  return {};
}

}  // namespace hone::judge
