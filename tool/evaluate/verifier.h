// Does the candidate compute what the original computes? On every declared problem and on perturbed sizes, several
// seeds, arrays at both ends of their pages, outputs poisoned, twice for determinism, once under the sanitizers.
//
// A perturbed case that the original itself does not survive (it crashes, hangs, leaves its arrays) is dropped and
// counted. Never lets the reference's answers into the candidate's process: both write into memory of their own, and
// the comparison is made here. One thread; the runners are borrowed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/evaluate/bench.h"
#include "tool/evaluate/bundle.h"
#include "tool/evaluate/runner.h"

namespace hone::evaluate {

struct Finding {
  std::string reason;  // a sentence
  std::string detail;
};

class Verifier {
 public:
  // `second`: the candidate's process, or another of the original when that is judged against itself.
  Verifier(const KernelSpec& spec, const Plan& plan, std::vector<Case> declared, Runner& reference, Runner& second);

  // Of a candidate. nullopt: nothing wrong was found.
  Result<std::optional<Finding>> verify_candidate();
  // Of the original: every declared problem, and whether the tolerances could tell right from wrong.
  Result<std::optional<Finding>> verify_original();
  // One declared problem on fresh data; after timing.
  Result<std::optional<Finding>> verify_again(unsigned problem, std::uint64_t seed);

  // Runs the sanitized objects on small cases. `reference` is asked only about cases in which the candidate's was found
  // guilty, and may be null.
  Result<std::optional<Finding>> verify_sanitized(Runner& subject, Runner* reference, const char* name);

  // Of a declared problem's outputs of few elements, over several draws; empty for others, and where the original
  // failed.
  Result<Bench::Scales> scales(unsigned problem);

  // Between two verifications: the memory is needed for something else.
  void release_memory();

  double reference_seconds(unsigned problem) const {
    return reference_seconds_[problem];
  }  // one call, wall; 0 when unknown
  unsigned dropped() const { return dropped_; }
  unsigned judged() const { return judged_; }

 private:
  struct Depth {
    bool both_ends_of_reference = true;
    bool twice = true;
    bool overlap = false;
  };
  using Found = Result<std::optional<Finding>>;

  Found judge(const Case& c, Depth depth);
  Found judge_perturbed();
  Found judge_declared();
  Found judge_special();
  Found judge_overlapping();
  Found reference_failed(const Case& c, const Misdeed& misdeed);
  Result<std::optional<Case>> variant(const Case& like, std::uint64_t seed);
  Result<std::optional<Bench::Scales>> few_element_scales(const Case& c);
  double reference_timeout(const Case& c) const;
  double candidate_timeout(double reference_seconds) const;
  std::uint64_t next_seed() { return derive_seed_ += 0x9e3779b97f4a7c15u; }
  double spent() const;

  const KernelSpec& spec_;
  const Plan& plan_;
  std::vector<Case> declared_;
  Runner& reference_;
  Runner& second_;
  Bench bench_;
  std::vector<double> reference_seconds_;
  std::vector<Case> survived_;  // perturbed cases that the original is fine with
  std::vector<std::optional<Bench::Scales>> declared_scales_;
  std::uint64_t derive_seed_;
  bool original_ = false;  // judging it against itself
  bool last_dropped_ = false;
  unsigned dropped_ = 0, judged_ = 0;
  double start_ = 0;
};

}  // namespace hone::evaluate
