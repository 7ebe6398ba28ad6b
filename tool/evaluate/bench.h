// Runs one case in a runner and looks at what it left: the step that verification and the oracle are made of.
//
// Owns the memory that both processes share and reuses it from case to case. What goes wrong in a runner comes back as
// a sentence about the code ("crashed: …", "wrote y[33], one element past the end of y"); an Error is the machine's.
// One thread. The runners are borrowed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/evaluate/case.h"
#include "tool/evaluate/compare.h"
#include "tool/evaluate/layout.h"
#include "tool/evaluate/memory_file.h"
#include "tool/evaluate/runner.h"

namespace hone::evaluate {

struct Outcome {
  std::vector<std::byte> result;  // the return value's bytes
  double seconds = 0;             // wall, of the call
  std::uint64_t poison_key = 0;
};

// A sentence: what the code did wrong; `detail` may hold a sanitizer's report.
struct Misdeed {
  std::string sentence;
  std::string detail;
  bool is_timeout = false;
};

class Bench {
 public:
  enum class Side { reference, candidate };

  explicit Bench(const KernelSpec& spec) : spec_(&spec) {}

  // Makes the memory for a case, and draws its inputs at those ends.
  Result<void> set_up(const Case& c, bool overlap = false);
  void place(Ends ends);

  // Outputs are poisoned (and inouts drawn) first. The case stays set up after a misdeed; the runner is then gone.
  tl::expected<Outcome, Misdeed> run(Runner& runner, Side side, double timeout_seconds, std::uint64_t poison_key,
                                     bool heap = false);

  // Compares the outputs that the last runs of the two sides left; `scales`: per parameter, then of the result.
  using Scales = std::vector<std::vector<double>>;
  std::string compare(const Outcome& expected, Ends expected_ends, const Outcome& got, const Scales& scales) const;

  // Bitwise, of two runs of one side at the same ends; `earlier` as copied by snapshot().
  struct Snapshot {
    std::vector<std::byte> outputs;
    Outcome outcome;
  };
  Snapshot snapshot(Side side, const Outcome& outcome) const;
  std::string differ(const Snapshot& earlier, const Outcome& later) const;  // of the candidate's side
  std::string differ_from_reference(const Outcome& reference, const Outcome& candidate) const;

  Scales scales(const Outcome& expected) const;  // of the reference's outputs, at the present ends
  // Would these bytes in every output pass for the expected? For the oracle. `constant`: each output's mean, else
  // zeros.
  std::string accepts_fake(const Outcome& expected, const Scales& scales, bool constant) const;
  bool all_zero(const Outcome& expected) const;
  // Do the outputs hold a NaN or an infinity?
  bool keeps_not_finite(const Outcome& expected) const;

  const Layout& layout() const { return layout_; }
  const MemoryFile& inputs() const { return inputs_; }

 private:
  const MemoryFile& outputs(Side side) const {
    return side == Side::reference ? reference_outputs_ : candidate_outputs_;
  }
  template <class Function>
  void each_output(Function&& f) const;  // f(parameter index or parameters.size() for the result, comparison, name)
  Comparison comparison(std::size_t output) const;
  std::string differences(const std::byte* first, const Outcome& first_outcome, const std::byte* second,
                          const Outcome& second_outcome) const;
  std::string where() const;
  std::string name_of(std::size_t output, const Mismatch& mismatch) const;

  const KernelSpec* spec_;
  Case case_;
  Layout layout_;
  Ends ends_ = Ends::start;
  bool overlap_ = false;
  std::size_t data_elements_ = 0;
  Array result_array_;
  std::uint64_t checksum_ = 0;
  MemoryFile inputs_, reference_outputs_, candidate_outputs_;
  std::vector<const Runner*> mapped_;  // runners that have the present case's memory mapped
};

}  // namespace hone::evaluate
