// Does the candidate compute what the original computes? On every declared problem and on perturbed sizes, several
// seeds, arrays at both ends of their pages, outputs poisoned, special values, overlaps as declared, twice for
// determinism, once under the sanitizers. What makes a case, and how many; CaseJudge judges each.
//
// Small sizes come first: most wrong candidates fail there, within milliseconds. How long it goes on depends on the
// plan's depth; a winner is also tried on sizes that no trial gets. One thread; the runners are borrowed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/judge/data/other_sizes.h"
#include "tool/judge/data/scalar_plan.h"
#include "tool/judge/verify/case_judge.h"

namespace hone::judge {

class Verifier {
 public:
  Verifier(const VerifySetup& setup, std::vector<Case> declared);

  // Other processes with the same objects are asked from now on.
  void use(Subject& reference, Subject& second) { cases_.use(reference, second); }

  // Of the arrays of a case beyond the declared problems, which a process must have room for.
  static std::size_t largest_bytes(bundle::Depth depth);

  // Of a candidate. nullopt: nothing wrong was found.
  Found verify_candidate();
  // Of the original: every declared problem, and whether the tolerances could tell right from wrong.
  Found verify_original();
  // After timing: a declared problem, and those small sizes again that were right before.
  Found verify_again(unsigned problem, std::uint64_t seed);

  // Runs the sanitized objects on small cases, and on extremes of integers where the original takes them without
  // undefined behaviour. `reference` is asked only about cases in which the candidate's was found guilty; may be null.
  Found verify_sanitized(Subject& subject, Subject* reference, std::string_view how);
  // Runs the objects built with ThreadSanitizer on small cases and on declared problems. Otherwise as above.
  Found verify_race_free(Subject& subject, Subject* reference, std::string_view how);
  // Some cases once more, on other processors than before: what ThreadSanitizer cannot follow shows by chance only.
  Found verify_rescheduled();
  // Another object of the candidate's, whose warps pause, on small cases and on the quickest of the declared problems.
  Found verify_pausing(Subject& subject);

  // What compute-sanitizer's tools look at: small cases, or the quickest of the declared problems.
  std::vector<Case> sanitized_device_cases() const;

  // The declared problem for a program that counts what is executed: the longest that it can be asked for.
  Result<Case> counted_case();
  // One call on it. Its label; nullopt: the call did not come back.
  Result<std::optional<std::string>> run_counted(Subject& subject);

  // Whether each declared problem took the candidate less than half of the original's time, as far as single calls
  // tell.
  bool clearly_faster() const;
  // Of a declared problem's outputs of few elements, over several draws; empty for others, and where the original
  // failed. Wider where the candidate's differences were excused.
  Result<Bench::Scales> scales(unsigned problem);

  // How much of the tolerance a right candidate takes, on the quickest declared problems.
  Result<std::optional<CaseJudge::Errors>> errors();

  // Between two verifications: the memory is needed for something else.
  void release_memory() { cases_.release_memory(); }

  const Tried& tried() const { return cases_.tried(); }                                           // so far
  double reference_seconds(unsigned problem) const { return cases_.reference_seconds(problem); }  // 0 when unknown

 private:
  Found judge_given();
  Found judge_perturbed();
  Found judge_held_out();
  Found judge_scalars();
  Found judge_residues();
  Found judge_large();
  Found judge_declared();
  Found judge_special();
  Found judge_patterns();
  Found judge_patterns_of(const Case& like, bool all, double seconds);
  Found judge_crowds();
  Found judge_crowds_of(const Case& declared, double until);
  std::vector<long long> constants() const;
  Found judge_overlapping();
  Found judge_growth();
  Found judge_changed();
  Found judge_neighbours(const Case& declared);
  Found judge_sizes(const std::vector<Perturbation>& sizes, double until);
  Found judge_residues_of(const Case& declared, double until);
  Found judge_large_of(const Case& declared, double until);
  Found judge_scalars_on(const Case& like, double until);
  Result<std::optional<Case>> scalar_case(const Case& like, const Sizes& sizes, const std::vector<Override>& others);
  Result<Sizes> sizes(unsigned problem);
  Found judge_ends(Subject& subject, Subject& reference, std::string_view how);
  Found judge_wide_integers(Subject& subject, Subject& reference, std::string_view how);
  Found judge_integer_extremes(Subject& subject, Subject& reference, std::string_view how);
  std::vector<Case> small_cases(std::size_t most) const;
  std::vector<Case> roomy_cases(std::size_t most) const;
  const Case& quickest() const;
  double seconds(const Case& declared) const { return cases_.reference_seconds(declared.problem); }
  double spent() const;
  unsigned most_dropped_of_kind() const;

  const KernelSpec& spec_;
  const bundle::Plan& plan_;
  const os::Clock& clock_;
  const GroundTraits& traits_;
  std::vector<Case> declared_;
  CaseJudge cases_;
  const double budget_;         // seconds; what comes after it is left out
  std::vector<Case> given_;     // of the plan's, those that the original is fine with
  std::vector<Case> survived_;  // perturbed cases that the original is fine with
  struct Timed {
    Case c;
    double seconds;  // that the original takes, about
  };
  std::vector<Timed> larger_;                // than declared, that the original is fine with: for races
  std::vector<std::optional<Sizes>> sizes_;  // of each problem, once asked for
  const bool original_;
  double start_ = 0;
};

}  // namespace hone::judge
