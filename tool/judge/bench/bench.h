// Runs one case in a runner and looks at what it left: the step that verification and the proof of tolerances are made
// of.
//
// Owns the memory that both processes share and reuses it from case to case. What goes wrong in a runner comes back as
// a sentence about the code ("crashed: …", "wrote y[33], one element past the end of y"); an Error is the machine's.
// One thread. The runners are borrowed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/judge/bench/habits.h"
#include "tool/judge/data/case.h"
#include "tool/judge/data/comparison.h"
#include "tool/judge/data/layout.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/subject.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

struct Outcome {
  std::vector<std::byte> result;  // the return value's bytes
  double seconds = 0;             // wall, of the call
  std::uint64_t poison_key = 0;
};

// A sentence: what the code did wrong; `detail` may hold a sanitizer's report.
struct Misdeed {
  DiagnosticCode code = DiagnosticCode::none;
  std::string sentence;
  std::string detail;
  bool is_timeout = false;
};

// One output as a run left it. Points into the bench: good until the next run or set_up().
struct View {
  std::size_t output = 0;  // parameter, or their number for the return value
  std::string name;
  Comparison comparison;
  const std::byte* data = nullptr;
};

// Copies of all outputs, wherever they lay.
struct Outputs {
  std::vector<std::vector<std::byte>> bytes;  // per parameter, then of the result
  std::uint64_t poison_key = 0;
};

class Bench {
 public:
  enum class Side { reference, candidate };
  using Scales = std::vector<std::vector<double>>;  // per parameter, then of the result; of each field
  using Pardons =
      std::function<bool(const View&, const ErrorAt&)>;  // Comparison::pardons, of an output of the reference's

  // All of it is borrowed.
  Bench(const KernelData& spec, const os::Clock& clock, Ground& ground)
      : spec_(&spec), clock_(&clock), ground_(&ground) {}

  // Makes the memory for a case, and draws its inputs at those ends.
  Result<void> set_up(const Case& c, Overlap overlap = {});
  void place(Ends ends);
  // Other data in arrays of the same sizes: nothing is mapped anew.
  void redraw(const Case& c);
  // A few elements of the inputs become others, where they lie; or half of them, but neither the first nor the last,
  // where no structure breaks by that. false: no input can change.
  enum class Change { few, half };
  bool change_inputs(std::uint64_t key, Change change);

  // Outputs are poisoned (and inouts drawn) first, by the key's lowest bit with NaN or with numbers; the canaries are
  // others in each run, and what the process's last call left beside its outputs is filled anew. The case stays set up
  // after a misdeed; the runner may then be gone.
  tl::expected<Outcome, Misdeed> run(Subject& runner, Side side, double timeout_seconds, std::uint64_t poison_key,
                                     runner::Manner manner = runner::Manner::in_place);

  // Whether run() has what the process's last call left filled anew.
  void renew_leftovers(bool renews) { renews_ = renews; }
  // What the candidate's process holds after `calls` more runs, nothing in it filled anew.
  tl::expected<Holdings, Misdeed> hold(Subject& runner, Side side, double timeout_seconds, std::uint64_t poison_key,
                                       unsigned calls);

  // The outputs that the last run of a side left at the present ends, or at those.
  std::vector<View> views(Side side, const Outcome& outcome, const Scales& scales = {}) const;
  std::vector<View> views(Side side, const Outcome& outcome, const Scales& scales, Ends ends) const;
  Outputs outputs(Side side, const Outcome& outcome) const;

  // "", or a sentence about the first wrong element. `ordinary`: what the reference gives without the special value.
  std::string compare(const Outcome& expected, Ends expected_ends, const Outcome& got, const Scales& scales,
                      const Outputs* ordinary = nullptr, const Pardons& pardons = {}) const;

  // Bitwise, of two runs; "" or a sentence.
  std::string differ(const Outputs& earlier, Side side, const Outcome& later) const;

  // Within the tolerance, as far as that leaves room for rounding at all: do two runs of the original agree?
  bool near(const Outputs& earlier, const Outcome& later, const Scales& scales) const;
  // Of the reference's outputs: is all that it wrote a number? Else the share that is, of the output with the least.
  bool is_finite(const Outcome& outcome) const { return least_finite(outcome) == 1; }
  double least_finite(const Outcome& outcome) const;

  Scales scales(const Outcome& expected) const;  // of the reference's outputs, at the present ends

  const Ground& ground() const { return *ground_; }
  void release_memory();

  const std::byte* input(std::size_t parameter) const;  // an in parameter's array, as placed
  const Case& present() const { return case_; }
  bool overlapping() const { return overlap_.any; }

 private:
  const SharedMemory& file(Side side) const {
    return side == Side::reference ? reference_outputs_ : candidate_outputs_;
  }
  Comparison comparison(std::size_t output) const;
  std::string where() const;
  std::string name_of(std::size_t output, const Mismatch& mismatch) const;
  Poison poison(std::size_t output, std::uint64_t key) const;

  SharedMemory& file(Side side) { return side == Side::reference ? reference_outputs_ : candidate_outputs_; }

  const KernelData* spec_;
  const os::Clock* clock_;
  Ground* ground_;
  Case case_;
  Layout layout_;
  Ends ends_ = Ends::start;
  Overlap overlap_;
  std::size_t data_elements_ = 0;
  Array result_array_;
  bool changes_late(const SharedMemory& outputs);

  std::uint64_t checksum_ = 0;
  bool renews_ = true;
  Habits habits_;                 // of the original
  std::vector<std::byte> later_;  // what lent outputs hold a little after the answer
  SharedMemory inputs_, reference_outputs_, candidate_outputs_;
  std::vector<const Subject*> mapped_;  // those that have the present case's memory mapped
};

}  // namespace hone::judge
