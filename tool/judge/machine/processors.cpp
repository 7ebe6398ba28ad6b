#include "tool/judge/machine/processors.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <utility>

namespace hone::judge {

namespace {

std::vector<int> last(const std::vector<int>& processors) {
  return {processors.end() - (processors.empty() ? 0 : 1), processors.end()};
}

}  // namespace

std::vector<int> allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) processors.push_back(cpu);
  return processors;
}

void run_this_thread_on(const std::vector<int>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : processors) CPU_SET(static_cast<std::size_t>(cpu), &set);
  sched_setaffinity(0, sizeof set, &set);
}

Processors divide(std::vector<int> allowed, unsigned timings) {
  const std::size_t all = allowed.size(), most = std::max<std::size_t>(all / 4, 1);
  const auto border =
      allowed.end() - static_cast<std::ptrdiff_t>(std::min(all, std::clamp<std::size_t>(timings, 1, most)));
  Processors processors{.all = {}, .working = {allowed.begin(), border}, .timing = {border, allowed.end()}};
  if (processors.working.empty()) processors.working = processors.timing;
  processors.all = std::move(allowed);
  return processors;
}

unsigned most_timings_at_once() {
  std::error_code error;
  const std::filesystem::directory_iterator gpus("/proc/driver/nvidia/gpus", error);
  return std::max(error ? 0u : static_cast<unsigned>(std::distance(begin(gpus), end(gpus))), 1u);
}

TimingProcessor claim_timing_processor(const Processors& processors) {
  if (processors.timing.size() < 2) return {processors.timing, {}};
  for (auto number = processors.timing.rbegin(); number != processors.timing.rend(); ++number)
    if (auto claim = TurnLock::try_acquire(fmt::format("cpu-{}", *number)); claim.held())
      return {{*number}, std::move(claim)};
  return {last(processors.timing), {}};
}

}  // namespace hone::judge
