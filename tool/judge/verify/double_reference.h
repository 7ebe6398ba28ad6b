// How much of a difference is the candidate's error, and how much the original's own? Against the original computed in
// higher precision (double for float) one can see.
//
// A candidate outside of the tolerance around what the original gives is right all the same where it is inside of the
// tolerance around the truth, or no farther from it than the original, in each such element. The truth is believed only
// where the original itself comes near it (a thousand tolerances, and a twentieth of the magnitude): a kernel that
// takes another branch in double, or is about float's bits, computes something else, and its own result stands.
// Integers, NaN and infinities are never excused. The wide original runs where the kernel does, in a process of its
// own, started when first needed; it failing, or no room for its data, means that nothing is excused. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tool/judge/bench/bench.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/process/subject.h"

namespace hone::judge {

class DoubleReference {
 public:
  // How to start a process with the wide original in it; what it could not load, it says when it is asked.
  using Start = std::function<Result<std::unique_ptr<Subject>>()>;
  // `wide`: as `spec`, but for element and scalar types. Both are borrowed, as are clock and ground.
  DoubleReference(const KernelData& spec, const KernelData& wide, const os::Clock& clock, Ground& ground, Start start);
  DoubleReference(const DoubleReference&) = delete;

  // What the wide original gives for the case, at both its own types. nullopt: it cannot be had.
  Result<std::optional<Outputs>> truth(const Case& c, double timeout_seconds, std::uint64_t poison_key);

  // Nothing of it is left beside what is timed. The next truth() starts it again.
  void rest();

  // Is every difference that the tolerance does not cover excused? The largest of them, in tolerances; nullopt: no.
  std::optional<double> excuse(const std::vector<View>& expected, const std::vector<View>& got,
                               const Outputs& truth) const;

  // Is what the original gives the truth, bit for bit?
  bool is_exact(const std::vector<View>& expected, const Outputs& truth) const;

  // The worst error in tolerances, of what a side gave.
  double worst_error(const std::vector<View>& expected, const std::vector<View>& got, const Outputs& truth) const;

  double true_value(std::size_t output, const ElementType& narrow, const ErrorAt& at, const Outputs& truth) const;

 private:
  const KernelData& spec_;
  const KernelData& wide_;
  const Start start_;
  std::unique_ptr<Subject> runner_;
  bool failed_ = false;
  Bench bench_;
};

// The worst error of a candidate, measured against what the original gives; in tolerances.
double worst_error(const std::vector<View>& expected, const std::vector<View>& got);

}  // namespace hone::judge
