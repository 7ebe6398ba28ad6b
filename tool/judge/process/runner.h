// A hone-runner process, which is sent requests and watched: the real Subject.
//
// What the process says is a claim of the generated code in it. A reply of the wrong length, to another request, or
// unasked ends it, and none of its text comes out with control characters. One thread. Nothing of the process survives
// the object.
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
#include "tool/judge/process/subject.h"
#include "tool/judge/process/subject_start.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/process/child.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

// How much is kept of what a process prints, sanitizers' reports among it: several reports long. The rest is lost.
inline constexpr std::size_t report_bytes = 64u << 10;

inline constexpr std::string_view runner_folder = "{runner-folder}";

struct RunnerOptions {
  std::string program;  // hone-runner; absolute
  unsigned threads = 1;
  std::size_t memory_bytes = 0;  // what the process may map beyond the arguments; 0: 2 GiB
  Sanitizers sanitizers = Sanitizers::none;
  std::string preload;                 // of a sanitized object: libraries, with colons between
  std::vector<std::string> libraries;  // folders of shared libraries that the object needs, beyond the system's
  std::string order;                   // of a race-checked one: openmp_order's file
  std::optional<RunnerDevice> device;  // that the object's kernels run on
  std::vector<std::string> under;      // a program and its options that runs the runner: compute-sanitizer, callgrind;
                                       // `runner_folder` in an option stands for the folder that it may write to
  bool may_allocate = true;            // on the device, so that what was freed there is filled anew
  bool one_queue = false;              // to the device: quicker to start, and streams wait for each other
  bool waits_asleep = false;           // OpenMP's threads sleep where they wait, instead of spinning first
  bool object_has_name = false;        // that program wants to open the object by its name: it gets a file, not memory
  std::vector<std::string> readable;   // what that program reads beyond the system's folders
  std::size_t file_bytes = 0;          // what it may write into one file; 0: little
};

class Runner final : public Subject {
 public:
  // Error: no process could be started, or the sandbox is missing. A unit that fails to load is a RunnerFailure, later.
  static Result<Runner> start(const std::string& object, RunnerOptions options);
  Runner(Runner&&) noexcept;
  Runner& operator=(Runner&&) noexcept;
  ~Runner() override;

  void run_on(std::vector<int> processors) override;
  RunnerAnswer<void> ready() override;
  RunnerAnswer<void> load(const std::string& object) override;
  Result<void> restart() override;
  RunnerAnswer<std::vector<runner::Scalar>> assign_problem(unsigned problem,
                                                           std::span<const runner::Scalar> scalars) override;
  RunnerAnswer<ExpressionValues> evaluate(std::span<const runner::Scalar> scalars, unsigned expressions) override;
  RunnerAnswer<void> map(unsigned set, std::span<const runner::Region> regions, SharedHandle inputs,
                         SharedHandle outputs) override;
  RunnerAnswer<void> bind(unsigned set, std::span<const runner::Binding> bindings,
                          std::span<const runner::Scalar> scalars,
                          std::uint32_t result_binding = runner::no_binding) override;
  RunnerAnswer<void> renew(unsigned set, std::uint64_t key, bool thoroughly) override;
  RunnerAnswer<void> wake() override;
  RunnerAnswer<std::vector<std::byte>> call(unsigned set, const CallPlan& plan, double timeout_seconds) override;
  RunnerAnswer<void> prepare(unsigned set, const CallPlan& plan, double timeout_seconds) override;
  RunnerAnswer<void> collect(double timeout_seconds) override;
  const runner::Balance& balance() const override;
  std::span<const std::uint64_t> addresses(unsigned set) const override;
  unsigned long threads() const override;
  std::size_t mapped_bytes() const override;
  double cpu_seconds() const override;
  unsigned long waits() const override;

  RunnerAnswer<void> unmap(unsigned set);
  std::string report() const;  // what a sanitizer wrote
  std::string finish();        // ends the process in good order, for those that report at the end; what they wrote
  // What the program that runs the runner left in its folder, after finish(). A claim, like a report.
  Result<std::string> left_file(const std::string& name) const;

 private:
  struct State;
  explicit Runner(std::unique_ptr<State> state);
  static Result<void> give_folders(State& state, const std::string& object);
  static void run_under(const State& state, os::SpawnOptions& spawn);
  runner::Lending lend(unsigned set, const SharedHandle& inputs, const SharedHandle& outputs);
  void plan_request(runner::Command command, unsigned set, const CallPlan& plan);
  RunnerAnswer<void> send(std::size_t bytes, int inputs = -1, int outputs = -1);
  RunnerAnswer<void> receive(std::size_t bytes, double timeout_seconds);
  RunnerAnswer<void> hear_nothing();
  RunnerFailure nonsense(std::string text);
  RunnerFailure refusal();
  RunnerFailure end_process(RunnerFailure::Kind kind, double seconds = 0);
  std::unique_ptr<State> state_;
};

}  // namespace hone::judge
