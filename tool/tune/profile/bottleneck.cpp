#include "tool/tune/profile/bottleneck.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tool/search/text/figures.h"

namespace hone::tune {
namespace {

using search::percent_text;

// An empty kernel launched again and again takes 4.2 us each time (H100, docs/decisions/0006): what takes less is
// waited for by nobody but the next launch.
constexpr double worth_a_launch = 4.2e-6;
// Nsight Compute's latency_bound_threshold: where nothing is busier, nothing is the limit by being busy.
constexpr double busy = 0.6;
// Nsight Compute's waves_threshold: fewer blocks than the device can hold at once.
constexpr double whole_wave = 1;
// Nsight Compute remarks on fewer than four fifths of the warps fitting. NVIDIA's best practices guide says that beyond
// some point more warps hide no more; at half of them other counters tell more than this one.
constexpr double enough_warps = 0.5;
// Nsight Compute's rule on stalls remarks on reasons of more than three tenths.
constexpr double chief_stall = 0.3;
constexpr double share_worth_telling = 0.1;  // of the stalls: at most ten reasons can have so much
constexpr double about_as_busy = 0.1;  // Nsight Compute's balanced_threshold

double known(const LaunchCounters::Figure& figure) {
  return figure.value_or(0);
}

// The first that is about as busy as the busiest.
const char* busiest(double most, std::initializer_list<std::pair<LaunchCounters::Figure, const char*>> parts,
                    const char* otherwise) {
  for (const auto& [share, name] : parts)
    if (share && *share >= most - about_as_busy) return name;
  return otherwise;
}

std::optional<Bottleneck> limit_of_launches(const DeviceProfile& profile, const LaunchCounters& kernel) {
  const double mean = profile.seconds / std::max(profile.launches, 1u);
  if (mean < worth_a_launch)
    return Bottleneck{Limit::launch,
                      fmt::format("{} of {} on average; to launch an empty kernel takes about 4 us",
                                  profile.launches == 1 ? "one launch" : fmt::format("{} launches", profile.launches),
                                  search::seconds_text(mean))};
  if (std::max(known(kernel.memory_share), known(kernel.compute_share)) >= busy) return std::nullopt;
  if (kernel.blocks && kernel.multiprocessors && *kernel.blocks < *kernel.multiprocessors)
    return Bottleneck{Limit::launch,
                      fmt::format("its {:.0f} blocks leave {:.0f} of {:.0f} multiprocessors idle", *kernel.blocks,
                                  *kernel.multiprocessors - *kernel.blocks, *kernel.multiprocessors)};
  if (kernel.waves && *kernel.waves < whole_wave)
    return Bottleneck{Limit::launch,
                      fmt::format("its grid fills {} of what the device holds at once", percent_text(*kernel.waves))};
  return std::nullopt;
}

Bottleneck limit_of_the_busy(const LaunchCounters& kernel) {
  const double memory = known(kernel.memory_share), compute = known(kernel.compute_share);
  if (memory >= compute)
    return {Limit::memory, fmt::format("{} at {} of its peak, the multiprocessors' busiest pipe at {}",
                                       busiest(memory,
                                               {{kernel.dram_share, "device memory"},
                                                {kernel.l2_share, "the second-level cache"},
                                                {kernel.l1_share, "the first-level cache or shared memory"}},
                                               "the memory system"),
                                       percent_text(memory), percent_text(compute))};
  return {Limit::compute, fmt::format("{} at {} of its peak, memory at {}",
                                      busiest(compute,
                                              {{kernel.tensor_share, "the tensor cores' pipe is"},
                                               {kernel.double_share, "the pipe for double precision is"},
                                               {kernel.fma_share, "the pipe for multiplications and additions is"},
                                               {kernel.issue_share, "the issue of instructions is"}},
                                              "the multiprocessors' busiest pipe is"),
                                      percent_text(compute), percent_text(memory))};
}

Bottleneck limit_of_the_idle(const LaunchCounters& kernel) {
  const std::string shares =
      fmt::format("memory at {} of its peak, the multiprocessors at {}", percent_text(known(kernel.memory_share)),
                  percent_text(known(kernel.compute_share)));
  if (kernel.warps_share && *kernel.warps_share < enough_warps) {
    const std::string limiter = occupancy_limiter(kernel);
    const std::string cause = kernel.possible_warps_share && *kernel.possible_warps_share >= enough_warps
                                  ? fmt::format("{} would fit: blocks end unevenly, or there are too few",
                                                percent_text(*kernel.possible_warps_share))
                              : limiter.empty() ? ""
                                                : "no more fit for want of " + limiter;
    return {Limit::occupancy, fmt::format("{}; {} of the warps that a multiprocessor holds are there{}", shares,
                                          percent_text(*kernel.warps_share), cause.empty() ? "" : ", " + cause)};
  }
  const std::vector<Stall> waits = stalls(kernel);
  if (waits.empty() || waits.front().share < chief_stall) return {Limit::latency, shares};
  return {Limit::latency, fmt::format("{}; warps wait {} of the time for {}", shares, percent_text(waits.front().share),
                                      waits.front().on)};
}

}  // namespace

const char* to_string(Limit limit) {
  switch (limit) {
    case Limit::launch:
      return "launch";
    case Limit::memory:
      return "memory";
    case Limit::compute:
      return "compute";
    case Limit::occupancy:
      return "occupancy";
    case Limit::latency:
      break;
  }
  return "latency";
}

std::vector<Stall> stalls(const LaunchCounters& kernel) {
  std::vector<Stall> found;
  if (known(kernel.cycles_between) <= 0) return found;
  for (const auto& [cycles, on] : {std::pair{kernel.stall_long_scoreboard, "data of global or local memory"},
                                   {kernel.stall_short_scoreboard, "data of shared memory or special functions"},
                                   {kernel.stall_barrier, "other warps at a barrier"},
                                   {kernel.stall_math_pipe, "an arithmetic pipe"},
                                   {kernel.stall_lg_throttle, "room in the queue to global memory"},
                                   {kernel.stall_mio_throttle, "room in the queue to shared memory"},
                                   {kernel.stall_wait, "the instruction before"}})
    if (const double share = known(cycles) / *kernel.cycles_between; share >= share_worth_telling)
      found.push_back({on, share});
  std::ranges::stable_sort(found, std::greater(), &Stall::share);
  return found;
}

std::string occupancy_limiter(const LaunchCounters& kernel) {
  if (!kernel.possible_warps_share || *kernel.possible_warps_share > 0.99) return "";
  // Where several let as many warps fit, the one that no version can change is said first.
  const std::pair<LaunchCounters::Figure, const char*> limits[] = {{kernel.fit_by_blocks, "places for blocks"},
                                                                   {kernel.fit_by_warps, "places for warps"},
                                                                   {kernel.fit_by_registers, "registers"},
                                                                   {kernel.fit_by_shared_memory, "shared memory"}};
  const std::pair<LaunchCounters::Figure, const char*>* least = nullptr;
  for (const auto& limit : limits)
    if (limit.first && (!least || *limit.first < *least->first)) least = &limit;
  if (!least) return "";
  return fmt::format("{} ({:.0f} block{})", least->second, *least->first, *least->first == 1 ? "" : "s");
}

std::optional<Bottleneck> find_bottleneck(const DeviceProfile& profile) {
  if (profile.kernels.empty()) return std::nullopt;
  const LaunchCounters& kernel = profile.kernels.front();
  if (const auto limit = limit_of_launches(profile, kernel)) return limit;
  if (!kernel.memory_share || !kernel.compute_share) return std::nullopt;
  if (std::max(*kernel.memory_share, *kernel.compute_share) >= busy) return limit_of_the_busy(kernel);
  return limit_of_the_idle(kernel);
}

}  // namespace hone::tune
