#include "tool/judge/process/runner_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace hone::judge {
namespace {

constexpr std::size_t device_runtime_bytes = std::size_t{4} << 30;  // of the CUDA driver, with its module loading

}  // namespace

std::map<std::string, std::string> environment_for(const RunnerOptions& options) {
  std::map<std::string, std::string> environment{{"LC_ALL", "C"}, {"PATH", "/usr/bin:/bin"}};
  environment["OMP_NUM_THREADS"] = std::to_string(options.threads);
  environment["OMP_DYNAMIC"] = "false";
  if (options.device) {
    const auto& [number, visible_as, order] = *options.device;
    environment["HONE_RUNNER_DEVICE"] = std::to_string(visible_as.empty() ? number : 0);
    if (!visible_as.empty()) environment["CUDA_VISIBLE_DEVICES"] = visible_as;
    if (!order.empty()) environment["CUDA_DEVICE_ORDER"] = order;
    environment["CUDA_CACHE_DISABLE"] = "1";       // nothing of a candidate's stays on disk
    environment["CUDA_MODULE_LOADING"] = "EAGER";  // not during the first timed call
    // Of a context's time to start, its eight queues to the device are two thirds, one process after the other. Who is
    // watched does not need them.
    if (!options.under.empty() || options.one_queue) environment["CUDA_DEVICE_MAX_CONNECTIONS"] = "1";
  }
  environment["GOMP_SPINCOUNT"] =
      options.waits_asleep ? "0" : "20000";  // with more, idle threads of the one eat the other's time
  if (options.waits_asleep) environment["OMP_WAIT_POLICY"] = "passive";
  if (options.sanitizers == Sanitizers::memory) {
    environment["LD_PRELOAD"] = options.preload;
    environment["HONE_RUNNER_SANITIZED"] = "memory";
    environment["ASAN_OPTIONS"] =
        "detect_leaks=0:halt_on_error=1:exitcode=99:color=never:allocator_may_return_null=1:detect_stack_use_after_"
        "return=0:"
        "print_legend=0:print_full_thread_history=0:quarantine_size_mb=16:handle_abort=1";
    environment["UBSAN_OPTIONS"] = "halt_on_error=1:exitcode=99:print_stacktrace=0:color=never";
  }
  if (options.sanitizers == Sanitizers::races) {
    environment["LD_PRELOAD"] = fmt::format("/proc/self/fd/{}:{}", runner::order_descriptor, options.preload);
    environment["HONE_RUNNER_SANITIZED"] = "races";
    // A long history, since a report without its other line helps nobody. Threads that stay (OpenMP's) are no leak.
    environment["TSAN_OPTIONS"] =
        "halt_on_error=1:exitcode=99:color=never:history_size=7:report_thread_leaks=0:report_signal_unsafe=0:"
        "detect_deadlocks=0";
  }
  return environment;
}

namespace {

// The driver reserves addresses by the terabyte, has threads of its own, and speaks with its devices.
void allow_device(os::SandboxPolicy& policy, const RunnerOptions& options) {
  policy.memory_bytes = options.memory_bytes + device_runtime_bytes;
  policy.address_space_bytes = 0;
  policy.processes +=
      512;  // compute-sanitizer and the driver start threads by the dozen, more of them on a busy machine
  policy.threads = true;
  policy.devices = true;
}

}  // namespace

os::SandboxPolicy policy_for(const RunnerOptions& options) {
  constexpr std::size_t gibibyte = 1u << 30;
  const std::size_t allowed = options.memory_bytes ? options.memory_bytes : 2 * gibibyte;
  os::SandboxPolicy policy;
  policy.readable = os::system_folders();
  policy.readable.insert(policy.readable.end(), options.libraries.begin(), options.libraries.end());
  if (options.sanitizers == Sanitizers::none && options.under.empty())
    policy.address_space_bytes = allowed + gibibyte;
  else
    policy.memory_bytes = allowed + gibibyte;
  policy.fixed_addresses = options.sanitizers == Sanitizers::races;
  std::istringstream libraries(options.preload);
  for (std::string library; std::getline(libraries, library, ':');)
    if (library.starts_with('/')) policy.readable.push_back(library);
  // The report's file cannot grow; beyond the limit a signal would kill it.
  policy.file_bytes = std::max<std::size_t>(16 * report_bytes, options.file_bytes);
  policy.processes = 16 + 2 * options.threads;
  policy.cpu_seconds = 3600;  // the judge has clocks of its own
  policy.threads = options.threads > 1;
  policy.exec = !options.under.empty();
  if (options.device) allow_device(policy, options);
  return policy;
}

}  // namespace hone::judge
