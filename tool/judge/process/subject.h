// A process that runs an object's kernel for the judge: what may be asked of it, and what is seen of it from outside.
//
// The rest of the judge knows this port alone, so that a test can put a function of its own in the process's place.
// Whatever the process does (crash, exit, silence, nonsense) comes back as a RunnerFailure, which is data. After a
// failure the process is gone; restart() makes a fresh one. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

struct RunnerFailure {
  enum class Kind { crashed, timed_out, ended, refused_to_load, nonsense, device };
  Kind kind = Kind::crashed;
  runner::Fault fault{};  // of crashed
  int exit_code = 0;      // of ended
  int exit_signal = 0;    // of ended
  bool over_memory = false;
  double seconds = 0;       // of timed_out: the limit
  double ran_seconds = -1;  // of timed_out: what it had of a processor, where it was kept waiting for one
  std::string text;         // the loader's message, the sanitizer's report, what the device met
};

template <class T>
using RunnerAnswer = tl::expected<T, RunnerFailure>;

struct ExpressionValues {
  std::vector<long long> integers;
  std::vector<double> reals;
};

struct CallPlan {
  runner::Manner manner = runner::Manner::in_place;
  unsigned first_slot = 0;
  unsigned slots = 1;
  unsigned calls = 1;
  unsigned char result_poison = 0;
  runner::Watch watch = runner::Watch::quick;
};

class Subject {
 public:
  virtual ~Subject() = default;

  // Must come before the process has threads, and holds for restarted ones; empty: wherever.
  virtual void run_on(std::vector<int> processors) = 0;

  // Waits until the object is loaded. Idempotent; the other requests call it.
  virtual RunnerAnswer<void> ready() = 0;
  // Another object takes the calls from now on, also after a restart(). The one before stays in the process.
  virtual RunnerAnswer<void> load(const std::string& object) = 0;
  virtual Result<void> restart() = 0;

  virtual RunnerAnswer<std::vector<runner::Scalar>> assign_problem(unsigned problem,
                                                                   std::span<const runner::Scalar> scalars) = 0;
  virtual RunnerAnswer<ExpressionValues> evaluate(std::span<const runner::Scalar> scalars, unsigned expressions) = 0;

  virtual RunnerAnswer<void> map(unsigned set, std::span<const runner::Region> regions, SharedHandle inputs,
                                 SharedHandle outputs) = 0;
  virtual RunnerAnswer<void> bind(unsigned set, std::span<const runner::Binding> bindings,
                                  std::span<const runner::Scalar> scalars,
                                  std::uint32_t result_binding = runner::no_binding) = 0;
  // What calls left behind in the process beside their outputs is filled anew, as follows from the key. Does nothing
  // under a sanitizer or a tool, whose books it would confuse.
  virtual RunnerAnswer<void> renew(unsigned set, std::uint64_t key, bool thoroughly) = 0;
  virtual RunnerAnswer<void> wake() = 0;  // right before a timed call on a device
  virtual RunnerAnswer<std::vector<std::byte>> call(unsigned set, const CallPlan& plan, double timeout_seconds) = 0;
  // Of kernels with workload(fn): makes what the next call() in Manner::prepared runs; nothing else may be asked in
  // between. Its results are in their places after collect().
  virtual RunnerAnswer<void> prepare(unsigned set, const CallPlan& plan, double timeout_seconds);
  virtual RunnerAnswer<void> collect(double timeout_seconds);

  virtual const runner::Balance& balance() const = 0;  // after a call
  // Where the process says it mapped the set's regions: good for messages only.
  virtual std::span<const std::uint64_t> addresses(unsigned set) const = 0;

  // By the system's count; 0 when the process is gone.
  virtual unsigned long threads() const = 0;
  virtual std::size_t mapped_bytes() const = 0;
  virtual double cpu_seconds() const = 0;   // of the whole process
  virtual unsigned long waits() const = 0;  // how often it gave the processor up of its own accord
};

inline RunnerAnswer<void> Subject::prepare(unsigned, const CallPlan&, double) {
  return {};
}
inline RunnerAnswer<void> Subject::collect(double) {
  return {};
}

}  // namespace hone::judge
