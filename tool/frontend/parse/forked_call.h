// Runs a function over hostile text in a process of its own, so that a crash, a bomb or a hang of Clang is an answer
// and not the end of the tool.
//
// The child is a copy of this process (fork) with limits on processor time, memory and wall time; it may only compute a
// string, in threads of its own too: the limit on processor time is for all of them. It waits for parses of other
// threads, as it must not be made while one is under way. Linux.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace hone::frontend {

// By the clock there is a minute and five times as much: a busy machine must not make a candidate wrong, and what waits
// for something still ends.
struct CallLimits {
  std::chrono::seconds time{4};               // of the processor
  std::size_t memory = std::size_t{2} << 30;  // bytes beyond what the process has already
};

struct CallOutcome {
  std::optional<std::string> answer;
  std::string failure;  // "it takes more than 10 s", where there is no answer
};

CallOutcome isolated_call(const std::function<std::string()>& function, const CallLimits& limits);

// Runs all at once, in threads with stacks of `stack` bytes each, and waits for them. For what isolated_call() runs: a
// thread that glibc makes in a copy of a process takes over the stack of a thread that the copy lacks, and what stands
// there may be the caller's. These stacks are new memory. Where there is none, or no thread, a function runs in this one.
void run_at_once(const std::vector<std::function<void()>>& functions, std::size_t stack);

// Locked shared while Clang parses: a copy made in the middle of it could inherit a lock that nobody will open.
std::shared_mutex& parsing();

}  // namespace hone::frontend
