#include "tool/evaluate/processors.h"

#include <sched.h>

#include <cstddef>

namespace hone::evaluate {

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

int timing_processor(const std::vector<int>& allowed) {
  return allowed.empty() ? -1 : allowed.back();
}

std::vector<int> working_processors(const std::vector<int>& allowed) {
  if (allowed.size() < 2) return allowed;
  return {allowed.begin(), allowed.end() - 1};
}

}  // namespace hone::evaluate
