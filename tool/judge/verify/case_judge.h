// Judges one case: the original's answer, the candidate's at both ends of its pages and twice, and whether they agree.
//
// A case that is not declared and that the original does not survive is dropped and counted. Never lets the original's
// answers into the candidate's process: both write into memory of their own, and the comparison is made here. One
// thread; the runners are borrowed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/data/scalar_plan.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/verify/double_reference.h"
#include "tool/judge/verify/finding.h"
#include "tool/judge/verify/tolerance_proof.h"
#include "tool/model/tried.h"
#include "tool/os/files/clock.h"

namespace hone::judge {

// How to start the original under the sanitizers.
using StartSanitized = std::function<Result<std::unique_ptr<Subject>>()>;

// What verification works with. All of it is borrowed.
struct VerifySetup {
  const KernelSpec& spec;
  const bundle::Plan& plan;
  Subject& reference;
  Subject& second;  // the candidate's process, or another of the original
  const os::Clock& clock;
  Ground& ground;
  Precision* precision = nullptr;  // may be null: nothing is excused
  // What the original does not promise where its behaviour is undefined, a glance does not ask for. Without it, or
  // where none starts, its behaviour is taken to be defined.
  StartSanitized start_sanitized = {};
};

class CaseJudge {
 public:
  explicit CaseJudge(const VerifySetup& setup);
  // Other processes with the same objects take these calls from now on.
  void use(Subject& reference, Subject& second);

  struct Care {
    bool both_ends_of_reference = true;
    bool twice = true;
    bool askew = false;  // also where arrays are aligned to their elements alone; where it is cheap, anyway
    Overlap overlap{};
  };
  Found judge(const Case& c, Care care);
  // For cases that are many: one run of the candidate, at the end of its pages.
  struct Glance {
    double reference_limit = 0.5;  // seconds, after which the original is taken to have no end there
    bool steady = false;           // scalars are others: no case where the original's results are not finite, or where
                                   // a few units in a scalar's last place change them by more than the tolerance
    bool coarse = false;           // a twentieth is near enough
    bool askew = false;            // once more where not all arrays are aligned beyond their elements
    bool coarse_without_truth = false;  // likewise, where the original cannot be asked in higher precision
  };
  Found glance(const Case& c, const Glance& how);
  // Cases that differ from `like` in special values alone. `seconds`: no more are begun after.
  Found judge_special(const Case& like, const std::vector<Sprinkling>& specials, double seconds);
  // Cases that differ from `like` in patterns alone. `first_alone`: one that the original bears is enough (of
  // magnitudes the second: at the edge of the type's range the order of operations decides).
  Found judge_patterns(const Case& like, const std::vector<Pattern>& patterns, bool first_alone, double seconds);
  // Small integers, where the original's arithmetic is exact on them: then equality is demanded.
  Found judge_exact(const Case& like);
  // Arguments that overlap in part, where the original does not mind.
  Found judge_shifted(const Case& c, long long shift);
  // Puts the original's answer before the oracle. `size_less`: the same with one less.
  Found examine(Oracle& oracle, const Case& c, const Case* size_less);
  // Once more after a few elements of the inputs changed where they lie, as a program's data do: who remembers the last
  // call by its pointers, its sizes or some of its elements is found out. Never of an original.
  Found judge_changed(const Case& c);
  // Whether the candidate holds more with each call; the original is asked only where it does.
  Found judge_growth(const Case& c);
  // A run under the sanitizers; `reference`, which may be null, is asked only where the subject was found guilty.
  // `how` begins the finding: "under the sanitizers: ".
  Found judge_sanitized(const Case& c, Subject& subject, Subject* reference, std::string_view how);
  // Likewise where the arrays lie, aligned to their elements alone: UBSan sees what a processor may forgive.
  Found judge_sanitized_askew(const Case& c, Subject& subject, Subject* reference, std::string_view how);
  // Another object of the candidate's, which may take much longer; `how` as above.
  Found judge_slowed(const Case& c, Subject& subject, std::string_view how);
  Result<void> time_reference(const Case& c);  // for reference_seconds(), where nothing else was judged
  Result<bool> run_plainly(const Case& c, Subject& subject, double timeout_seconds);  // false: it did not come back
  bool is_clean(const Case& c, Subject& sanitized);                                   // restarts it when not

  // Which scalars are sizes: with which an extent changes, or what an index may be.
  Result<Sizes> sizes(const Case& declared);
  bool may_know_the_truth(const Case& c) const;  // from the original in higher precision
  bool may_ask() const { return static_cast<bool>(start_sanitized_); }

  // The case with other sizes, or nullopt.
  Result<std::optional<Case>> make(unsigned problem, const std::vector<Override>& overrides, std::size_t memory_bytes);
  Result<std::optional<Case>> make_given(const bundle::Given& given);
  // The same sizes with other data, unless they were given. nullopt: there is none (a drawn scalar makes the
  // difference).
  Result<std::optional<Case>> variant(const Case& like, std::uint64_t seed);

  // Of outputs of few elements, over several draws; empty for others. nullopt: the original failed. `all`: of all.
  Result<std::optional<Bench::Scales>> scales(const Case& c, bool all = false);

  // The worst error of the candidate's last run on the case, and the original's own where that is known; in tolerances.
  struct Errors {
    double candidate = 0;
    std::optional<double> original;
  };
  Result<std::optional<Errors>> errors(const Case& c);

  double reference_seconds(unsigned problem) const { return reference_seconds_[problem]; }
  // Likewise of the candidate, the round trip to its process included. 0: it was not run on the problem.
  double candidate_seconds(unsigned problem) const { return candidate_seconds_[problem]; }
  double excused() const { return excused_; }    // the largest difference, in tolerances, that was or may be excused
  const Tried& tried() const { return tried_; }  // so far
  void note_not_tried(std::string_view what) { tried_.note_not_tried(what); }
  bool last_dropped() const { return last_dropped_; }
  unsigned dropped() const { return dropped_; }
  std::uint64_t next_seed() { return seed_ += 0x9e3779b97f4a7c15u; }
  void release_memory() { bench_.release_memory(); }

 private:
  using Side = Bench::Side;
  tl::expected<Outcome, Misdeed> run_reference(const Case& c, double timeout_seconds);
  tl::expected<Outcome, Misdeed> run_candidate(const Case& c, double timeout_seconds);
  Result<tl::expected<Outcome, Misdeed>> run_patiently(const Case& c, double reference_seconds, bool always);
  Found reference_failed(const Case& c, const Misdeed& misdeed);
  Finding blame(const Misdeed& misdeed) const;
  using Grown = tl::expected<std::optional<Holdings>, Misdeed>;
  Grown growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls);
  bool repeats_bitwise() const { return spec_.threads == 1 && traits_.repeats_bitwise; }
  Found original_differs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                         const Bench::Scales& scales);
  Found reads_outputs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                      const Bench::Scales& scales, const std::string& text);
  Found disagreement(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales);
  Found beyond_doubt(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales,
                     const Outputs& ordinary);
  bool is_askable(const Case& c, const Outcome& expected) const;  // could the original in higher precision be?
  Result<std::optional<Outcome>> borne(const Case& c);
  Result<bool> lost_on_its_way(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales);
  Result<Bench::Scales> patterned_scales(const Case& c);
  Result<bool> is_exact(const Case& c, std::set<double>& values);
  Found repeat(const Case& c, const Outcome& expected, const Outcome& first, const Bench::Scales& scales,
               double timeout);
  Found judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout, bool each_way);
  Found judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout, Ends ends);
  bool is_few(const Case& c, std::size_t output) const;
  Result<bool> is_undefined(const Case& c);
  Result<std::optional<Outputs>> nudged(const Case& c, double limit);
  std::vector<long long> extents(const ExpressionValues& values) const;
  double reference_timeout(const Case& c) const;
  double candidate_timeout(double reference_seconds) const;

  const KernelSpec& spec_;
  const bundle::Plan& plan_;
  const os::Clock& clock_;
  const GroundTraits& traits_;
  Subject* reference_;
  Subject* second_;
  const bool original_;  // judging it against itself
  Precision* precision_;
  Bench bench_;
  std::vector<double> reference_seconds_, candidate_seconds_;  // the best, of each declared problem
  std::vector<std::optional<Bench::Scales>> declared_scales_;
  std::uint64_t seed_;
  bool last_dropped_ = false;
  unsigned dropped_ = 0;
  double excused_ = 0;
  Tried tried_;
  const StartSanitized start_sanitized_;
  bool wants_alignment_ = false;  // the original does, beyond its types'
};

}  // namespace hone::judge
