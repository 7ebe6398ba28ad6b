// What a Runner knows of its process. For runner.cpp, which starts and ends it, and runner_requests.cpp, which asks it.
#pragma once

#include <time.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tool/base/random.h"
#include "tool/judge/process/runner.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/files/files.h"
#include "tool/os/process/child.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

// How long the harness may take for problem(), extents and mapping, in seconds.
inline constexpr double harness_timeout = 10;

// From the system: what never saw a request cannot know its number.
std::uint64_t unguessable();

struct Runner::State {
  RunnerOptions options;
  os::Descriptor object;
  os::Descriptor order;
  os::Descriptor report;
  os::Descriptor socket;
  std::optional<os::TemporaryFolder> folder, programs;  // of a program that runs the runner: to write in, to read
  std::optional<os::Child> child;
  clockid_t cpu_clock = 0;
  bool has_clock = false;
  bool is_ready = false;
  std::vector<int> cpus;
  double socket_timeout = -1;
  runner::Request request{};
  runner::Reply reply{};
  std::map<unsigned, std::vector<std::uint64_t>> addresses;
  std::map<unsigned, std::array<std::uint64_t, 2>> lent;  // what a set has mapped (SharedHandle::lent_as)
  Random ids{unguessable()};                              // of requests
};

}  // namespace hone::judge
