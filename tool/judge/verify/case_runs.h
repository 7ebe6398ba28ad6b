// Runs one case in the original's process and in the candidate's, and says what of that stands: whose fault a run that
// failed is, and whether two answers agree, as far as the tolerance and the original in higher precision go.
//
// What all of a verification's judges share: the bench, the processes, and the books of times, excuses and dropped
// cases. A case that is not declared and that the original does not survive is dropped and counted. One thread; the
// processes are borrowed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/ground/ground.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/verify/case_maker.h"
#include "tool/judge/verify/double_reference.h"
#include "tool/judge/verify/finding.h"
#include "tool/model/tried.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

// How to start the original under the sanitizers.
using StartSanitized = std::function<Result<std::unique_ptr<Subject>>()>;

// What verification works with. All of it is borrowed.
struct VerifySetup {
  const KernelIdentity& kernel;  // which messages name
  const KernelData& spec;
  const bundle::Plan& plan;
  Subject& reference;
  Subject& second;  // the candidate's process, or another of the original
  const os::Clock& clock;
  Ground& ground;
  DoubleReference* double_reference = nullptr;  // may be null: nothing is excused
  // What the original does not promise where its behavior is undefined, a glance does not ask for. Without it, or where
  // none starts, its behavior is taken to be defined.
  StartSanitized start_sanitized = {};
};

class CaseRuns {
 public:
  using Side = Bench::Side;

  explicit CaseRuns(const VerifySetup& setup);
  CaseRuns(const CaseRuns&) = delete;
  // Other processes with the same objects take these calls from now on.
  void use(Subject& reference, Subject& second);

  std::string place() const;  // "/src/blur.cpp:12", of the annotation
  const KernelData& spec() const { return spec_; }
  const bundle::Plan& plan() const { return plan_; }
  const os::Clock& clock() const { return clock_; }
  const GroundTraits& traits() const { return traits_; }
  Subject& reference() { return *reference_; }
  Subject& second() { return *second_; }
  Bench& bench() { return bench_; }
  CaseMaker& maker() { return maker_; }
  DoubleReference* double_reference() { return double_reference_; }  // null: nothing is excused
  bool is_original() const { return original_; }                     // it is judged against itself
  std::uint64_t next_seed() { return maker_.next_seed(); }

  // The case is set up in the bench.
  tl::expected<Outcome, Misdeed> run_reference(const Case& c, double timeout_seconds,
                                               runner::Manner manner = runner::Manner::in_place);
  tl::expected<Outcome, Misdeed> run_candidate(const Case& c, double timeout_seconds);
  Result<tl::expected<Outcome, Misdeed>> run_patiently(const Case& c, double reference_seconds, bool always);
  // Of the original on other data, or in another manner. nullopt: it did not come back, and began anew. What it gave
  // before is gone.
  Result<std::optional<Outputs>> other_answer(const Case& c, double timeout_seconds,
                                              runner::Manner manner = runner::Manner::in_place);
  double reference_timeout(const Case& c) const;
  double candidate_timeout(double reference_seconds) const;
  static constexpr double slowed_timeout = 10;  // seconds, for a candidate that something else may slow

  // Restarts the original's process, and drops the case.
  Found reference_failed(const Case& c, const Misdeed& misdeed);
  Found drop(const Case& c, const Misdeed& misdeed);  // of a declared case that is a finding
  void drop_silently() { last_dropped_ = true; }      // the original promises nothing there; costs no process
  // Of a size that nobody declared: who reads the verdict may want to say in a clause that the kernel does not take it.
  void tell_dropped_size(const Case& c);
  Finding blame(const Misdeed& misdeed) const;

  // nullopt: they agree, as far as the tolerance and the truth go.
  Found disagreement(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales);
  bool repeats_bitwise() const { return spec_.threads == 1 && traits_.repeats_bitwise; }
  bool may_know_the_truth(const Case& c) const;                   // from the original in higher precision
  bool is_askable(const Case& c, const Outcome& expected) const;  // could it be asked about this answer?
  Result<bool> is_undefined(const Case& c);                       // the original's behavior, by its sanitizers

  // Which outputs need a scale from other draws: those of few elements, which have none of their own; those, too, of
  // which parts alone are compared while they are timed; or all.
  enum class Scaled { few, timed, all };
  // Empty for other outputs. nullopt: the original failed, and was restarted; drop_unscaled() then says how.
  Result<std::optional<Bench::Scales>> scales(const Case& c, Scaled which = Scaled::few);
  Found drop_unscaled(const Case& c);
  bool is_few(const Case& c, std::size_t output) const;
  bool is_compared_by_parts(const Case& c, std::size_t output) const;

  // Of the best run on a declared problem. 0: it was not run.
  double reference_seconds(unsigned problem) const { return reference_seconds_[problem]; }
  double candidate_seconds(unsigned problem) const { return candidate_seconds_[problem]; }  // with the round trip

  // The largest difference, in tolerances, that was or may be excused.
  double excused() const { return excused_; }
  void excuse(double tolerances);
  void set_excused(double tolerances) { excused_ = tolerances; }

  Tried& tried() { return tried_; }  // so far
  const Tried& tried() const { return tried_; }
  void begin_case() { last_dropped_ = original_failed_ = false; }
  bool last_dropped() const { return last_dropped_; }
  unsigned dropped() const { return dropped_; }
  bool may_ask() const { return static_cast<bool>(start_sanitized_); }

  // The original wants arrays aligned beyond their types: nothing is judged where they are aligned no better.
  bool wants_alignment() const { return wants_alignment_; }
  void note_wanted_alignment();

 private:
  const KernelIdentity& kernel_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
  const os::Clock& clock_;
  const GroundTraits& traits_;
  Subject* reference_;
  Subject* second_;
  const bool original_;
  DoubleReference* double_reference_;
  Bench bench_;
  CaseMaker maker_;
  std::vector<double> reference_seconds_, candidate_seconds_;  // the best, of each declared problem
  std::vector<std::optional<Bench::Scales>> declared_scales_;
  std::string why_unscaled_;
  bool original_failed_ = false;  // on the last case, which was dropped for it
  unsigned dropped_sizes_told_ = 0;
  bool last_dropped_ = false;
  unsigned dropped_ = 0;
  double excused_ = 0;
  bool wants_alignment_ = false;
  Tried tried_;
  const StartSanitized start_sanitized_;
};

}  // namespace hone::judge
