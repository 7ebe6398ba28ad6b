// A hone-runner process as the judge sees it: it is sent requests and watched.
//
// Whatever the process does (crash, exit, silence, nonsense) comes back as a RunnerFailure, which is data. After a
// failure the process is gone; restart() makes a fresh one. What it says is a claim of the generated code in it: a
// reply of the wrong length, to another request, or unasked ends it, and no text of its own comes out with control
// characters in it. One thread. Nothing of the process survives the object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/judge/device/device.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/process/child.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

inline constexpr std::size_t report_bytes = 64u
                                            << 10;  // of what a process prints, sanitizers' reports; the rest is lost

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

// What an object was built with: nothing, AddressSanitizer and UndefinedBehaviorSanitizer, ThreadSanitizer.
enum class Sanitizers { none, memory, races };

inline constexpr std::string_view runner_folder = "{runner-folder}";

struct RunnerOptions {
  std::string program;  // hone-runner; absolute
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  // what the process may map beyond the arguments; 0: 2 GiB
  Sanitizers sanitizers = Sanitizers::none;
  std::string preload;                 // of a sanitized object: libraries, with colons between
  std::string order;                   // of a race-checked one: openmp_order's file
  std::optional<RunnerDevice> device;  // that the object's kernels run on
  std::vector<std::string> under;      // a program and its options that runs the runner: compute-sanitizer, callgrind;
                                       // `runner_folder` in an option stands for the folder that it may write to
  bool waits_asleep = false;           // OpenMP's threads sleep where they wait, instead of spinning first
  bool object_has_name = false;        // that program wants to open the object by its name: it gets a file, not memory
  std::vector<std::string> readable;   // what that program reads beyond the system's folders
  std::size_t file_bytes = 0;          // what it may write into one file; 0: little
};

struct CallPlan {
  runner::Manner manner = runner::Manner::in_place;
  unsigned first_slot = 0;
  unsigned slots = 1;
  unsigned calls = 1;
  unsigned char result_poison = 0;
  runner::Watch watch = runner::Watch::quick;
};

class Runner {
 public:
  // Error: no process could be started, or the sandbox is missing. A unit that fails to load is a RunnerFailure, later.
  static Result<Runner> start(const std::string& object, RunnerOptions options);
  Runner(Runner&&) noexcept;
  Runner& operator=(Runner&&) noexcept;
  ~Runner();

  // Waits until the object is loaded. Idempotent; the other requests call it.
  RunnerAnswer<void> ready();
  // Another object takes the calls from now on, also after a restart(). The one before stays in the process.
  RunnerAnswer<void> load(const std::string& object);

  RunnerAnswer<std::vector<runner::Scalar>> assign_problem(unsigned problem, std::span<const runner::Scalar> scalars);
  RunnerAnswer<ExpressionValues> evaluate(std::span<const runner::Scalar> scalars, unsigned expressions);
  RunnerAnswer<void> map(unsigned set, std::span<const runner::Region> regions, int inputs, int outputs);
  // Device memory, of so many bytes each.
  RunnerAnswer<void> map_lent(unsigned set, std::span<const runner::Region> regions, const DeviceMemory& inputs,
                              const DeviceMemory& outputs);
  RunnerAnswer<void> wake();  // right before a timed call on a device
  // What calls left behind in the process beside their outputs is filled anew, as follows from the key. Does nothing
  // under a sanitizer or a tool, whose books it would confuse.
  RunnerAnswer<void> renew(std::uint64_t key, bool thoroughly);
  RunnerAnswer<void> unmap(unsigned set);
  RunnerAnswer<void> bind(unsigned set, std::span<const runner::Binding> bindings,
                          std::span<const runner::Scalar> scalars, std::uint32_t result_binding = runner::no_binding);
  RunnerAnswer<std::vector<std::byte>> call(unsigned set, const CallPlan& plan, double timeout_seconds);

  const runner::Balance& balance() const;  // after a call
  // Threads and mapped bytes of the process, by the system's count; 0 when it is gone.
  unsigned long threads() const;
  std::size_t mapped_bytes() const;

  // Where the process says it mapped the set's regions: good for messages only.
  std::span<const std::uint64_t> addresses(unsigned set) const;

  double cpu_seconds() const;          // of the whole process, read from the system; 0 when it is gone
  unsigned long waits() const;         // how often it gave the processor up of its own accord, by the system's count
  void run_on(std::vector<int> cpus);  // must come before the process has threads; empty: wherever
  Result<void> restart();
  std::string report() const;  // what a sanitizer wrote
  std::string finish();        // ends the process in good order, for those that report at the end; what they wrote
  // What the program that runs the runner left in its folder, after finish(). A claim, like a report.
  Result<std::string> left_file(const std::string& name) const;

 private:
  struct State;
  explicit Runner(std::unique_ptr<State> state);
  static Result<void> give_folders(State& state, const std::string& object);
  static void run_under(const State& state, os::SpawnOptions& spawn);
  RunnerAnswer<void> map_files(unsigned set, std::span<const runner::Region> regions, int inputs, int outputs);
  RunnerAnswer<void> send(std::size_t bytes, int inputs = -1, int outputs = -1);
  RunnerAnswer<void> receive(std::size_t bytes, double timeout_seconds);
  RunnerAnswer<void> hear_nothing();
  bool waits_for_a_processor() const;
  unsigned long status(std::string_view name) const;
  RunnerFailure nonsense(std::string text);
  RunnerFailure refusal();
  RunnerFailure bury(RunnerFailure::Kind kind, double seconds = 0);
  std::unique_ptr<State> state_;
};

}  // namespace hone::judge
