// A subject without a process, and a clock without time: what the judge decides, tested in milliseconds.
//
// The fake's kernel is a function of this process. It works on the very memory that the judge shares, and says how long
// it took; the clock moves by that and by nothing else. The kernel's declaration is void kernel(const float* x, float*
// y, int n), with x and y of n elements. One thread.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tool/judge/ground/processor_ground.h"
#include "tool/judge/process/subject.h"
#include "tool/model/kernel_spec.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

class FakeClock final : public os::Clock {
 public:
  Duration now() const override { return now_; }
  void advance(double seconds) { now_ += std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)); }

 private:
  Duration now_{1};
};

struct FakeCall {
  const float* x = nullptr;
  float* y = nullptr;
  int n = 0;
  unsigned number = 0;  // of the calls in this process
  runner::Manner manner = runner::Manner::in_place;
  std::span<const runner::Scalar> scalars;  // one of each parameter
};

// Seconds that the call takes, or how it ends the process.
using FakeKernel = std::function<RunnerAnswer<double>(const FakeCall&)>;

inline KernelSpec fake_spec(std::size_t problems) {
  const ElementType real{"float", 4, 4, {{"", {ScalarKind::floating, 4}, 0, 1}}};
  const ElementType integer{"int", 4, 4, {{"", {ScalarKind::signed_integer, 4}, 0, 1}}};
  const auto array = [&](const char* name, Role role) {
    return Parameter{.name = name, .pointer = true, .element = real, .role = role, .extent = {{std::nullopt, 0}}};
  };
  KernelSpec spec;
  spec.name = "kernel";
  spec.file = "/src/kernel.cpp";
  spec.parameters = {array("x", Role::in), array("y", Role::out), {.name = "n", .type = "int", .element = integer}};
  spec.problems.resize(problems, {{2}, 1});
  spec.expression_count = 1;
  return spec;
}

class FakeSubject final : public Subject {
 public:
  // `objects`: what load() finds.
  FakeSubject(FakeClock& clock, std::vector<int> sizes, FakeKernel kernel,
              std::map<std::string, FakeKernel> objects = {})
      : clock_(clock), sizes_(std::move(sizes)), kernel_(std::move(kernel)), objects_(std::move(objects)) {}
  ~FakeSubject() override { forget(); }

  unsigned restarts() const { return restarts_; }
  bool loads = true;
  std::vector<long long> constants;       // of clauses, the expressions behind the size
  int harness_fails_for = -1;             // the size that its expressions cannot be evaluated for
  double sleeps = 0;                      // share of each call that takes no processor
  std::function<double()> while_mapping;  // seconds of the processor that it is charged each time it maps arguments
  runner::Balance keeps{};                // that each call adds to what it holds; `changed`: what it changes
  // What other processes hold of the device's memory by then.
  std::function<std::uint64_t(unsigned call)> others_hold = [](unsigned) { return 0; };
  double slower = 0;  // seconds that each call takes more in this process, whatever is loaded

  void run_on(std::vector<int>) override {}
  RunnerAnswer<void> ready() override {
    if (!loads) return tl::unexpected(RunnerFailure{.kind = RunnerFailure::Kind::refused_to_load});
    if (gone_) return tl::unexpected(RunnerFailure{.kind = RunnerFailure::Kind::ended});
    return {};
  }
  RunnerAnswer<void> load(const std::string& object) override {
    HONE_CHECK(ready());
    kernel_ = objects_.at(object);
    return {};
  }
  Result<void> restart() override {
    forget();
    gone_ = false;
    number_ = 0;
    ++restarts_;
    return {};
  }
  RunnerAnswer<std::vector<runner::Scalar>> assign_problem(unsigned problem,
                                                           std::span<const runner::Scalar> scalars) override {
    HONE_CHECK(ready());
    std::vector<runner::Scalar> assigned(scalars.begin(), scalars.end());
    std::memcpy(assigned[2].bytes, &sizes_[problem], sizeof(int));
    return assigned;
  }
  RunnerAnswer<ExpressionValues> evaluate(std::span<const runner::Scalar> scalars, unsigned) override {
    HONE_CHECK(ready());
    if (size_of(scalars) == harness_fails_for) return end({.fault = {.signal = SIGFPE}});
    ExpressionValues values{{size_of(scalars)}, {}};
    values.integers.insert(values.integers.end(), constants.begin(), constants.end());
    values.reals.assign(values.integers.begin(), values.integers.end());
    return values;
  }
  RunnerAnswer<void> map(unsigned set, std::span<const runner::Region> regions, SharedHandle inputs,
                         SharedHandle outputs) override {
    HONE_CHECK(ready());
    if (while_mapping) cpu_ += while_mapping();
    Set& mine = sets_[set];
    mine.unmap();
    mine.files[0] = open(inputs.descriptor, PROT_READ);
    mine.files[1] = open(outputs.descriptor, PROT_READ | PROT_WRITE);
    mine.regions.assign(regions.begin(), regions.end());
    mine.addresses.clear();
    for (const runner::Region& region : regions)
      mine.addresses.push_back(reinterpret_cast<std::uint64_t>(mine.files[region.output].data + region.offset));
    return {};
  }
  RunnerAnswer<void> bind(unsigned set, std::span<const runner::Binding> bindings,
                          std::span<const runner::Scalar> scalars, std::uint32_t) override {
    HONE_CHECK(ready());
    sets_[set].bindings.assign(bindings.begin(), bindings.end());
    sets_[set].scalars.assign(scalars.begin(), scalars.end());
    sets_[set].n = size_of(scalars);
    return {};
  }
  RunnerAnswer<void> renew(unsigned, std::uint64_t, bool) override { return ready(); }
  RunnerAnswer<void> wake() override { return ready(); }
  RunnerAnswer<std::vector<std::byte>> call(unsigned set, const CallPlan& plan, double timeout_seconds) override {
    HONE_CHECK(ready());
    double taken = 0;
    for (unsigned call = 0; call < plan.calls; ++call) {
      const Set& mine = sets_[set];
      const unsigned slot = (plan.first_slot + call) % plan.slots;
      const auto took = kernel_({.x = static_cast<const float*>(mine.at(0, slot)),
                                 .y = static_cast<float*>(mine.at(1, slot)),
                                 .n = mine.n,
                                 .number = number_++,
                                 .manner = plan.manner,
                                 .scalars = mine.scalars});
      if (!took) return end(took.error());
      taken += *took + slower;
      balance_.changed = keeps.changed;
      balance_.heap_bytes += keeps.heap_bytes;
      balance_.device_bytes += keeps.device_bytes;
      balance_.pooled_bytes += keeps.pooled_bytes;
      if (taken <= timeout_seconds) continue;
      clock_.advance(timeout_seconds);
      return end({.kind = RunnerFailure::Kind::timed_out, .seconds = timeout_seconds});
    }
    clock_.advance(taken);
    cpu_ += taken * (1 - sleeps);
    return std::vector<std::byte>(runner::result_bytes);
  }
  const runner::Balance& balance() const override {
    seen_ = balance_;
    seen_.device_bytes += others_hold(number_);
    return seen_;
  }
  std::span<const std::uint64_t> addresses(unsigned set) const override {
    const auto found = sets_.find(set);
    return found == sets_.end() ? std::span<const std::uint64_t>() : found->second.addresses;
  }
  unsigned long threads() const override { return 1; }
  std::size_t mapped_bytes() const override { return 0; }
  double cpu_seconds() const override { return cpu_; }
  unsigned long waits() const override { return sleeps > 0 ? number_ : 0; }

 private:
  struct File {
    std::byte* data = nullptr;
    std::size_t size = 0;
  };
  struct Set {
    File files[2];
    std::vector<runner::Region> regions;
    std::vector<runner::Binding> bindings;
    std::vector<runner::Scalar> scalars;
    std::vector<std::uint64_t> addresses;
    int n = 0;

    void* at(std::size_t parameter, unsigned slot) const {
      const runner::Binding& binding = bindings[parameter];
      const runner::Region& region = regions[static_cast<std::size_t>(binding.region)];
      return files[region.output].data + region.offset + binding.offset + binding.stride * slot;
    }
    void unmap() {
      for (File& file : files) {
        if (file.data) munmap(file.data, file.size);
        file = {};
      }
    }
  };

  static int size_of(std::span<const runner::Scalar> scalars) {
    int n = 0;
    std::memcpy(&n, scalars[2].bytes, sizeof n);
    return n;
  }
  static File open(int descriptor, int protection) {
    struct stat status {};
    fstat(descriptor, &status);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = mmap(nullptr, size, protection, MAP_SHARED, descriptor, 0);
    return data == MAP_FAILED ? File{} : File{static_cast<std::byte*>(data), size};
  }
  tl::unexpected<RunnerFailure> end(RunnerFailure failure) {
    forget();
    gone_ = true;
    return tl::unexpected(std::move(failure));
  }
  void forget() {
    for (auto& [number, set] : sets_) set.unmap();
    sets_.clear();
  }

  FakeClock& clock_;
  const std::vector<int> sizes_;
  FakeKernel kernel_;
  const std::map<std::string, FakeKernel> objects_;
  std::map<unsigned, Set> sets_;
  mutable runner::Balance seen_;  // with what others hold
  runner::Balance balance_{};
  unsigned number_ = 0, restarts_ = 0;
  double cpu_ = 0;
  bool gone_ = false;
};

// What the original computes, in so many seconds.
inline RunnerAnswer<double> double_each(const FakeCall& call, double seconds = 1e-5) {
  for (int i = 0; i < call.n; ++i) call.y[i] = 2 * call.x[i];
  return seconds;
}
inline RunnerAnswer<double> right(const FakeCall& call) {
  return double_each(call);
}

}  // namespace hone::judge
