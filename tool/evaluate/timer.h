// How much faster is the candidate? Original and candidate in two long-lived processes, timed from here in adjacent
// pairs in random order, on data that change from pair to pair, until the rule of statistics.h decides.
//
// The clock is read by the judge: the process's CPU time for single-threaded kernels (wall time must agree that it is
// not slower), wall time for others. CPU time that the candidate takes beside its calls is charged to them. A sample is
// a batch of calls, each on data of its own; after a pair, outputs of calls drawn at random are compared, so that what
// was right in verification and is wrong or left out while timed shows. Never runs two things at once. One thread; the
// runners are borrowed, and must be pinned and exclusive already.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/evaluate/bench.h"
#include "tool/evaluate/bundle.h"
#include "tool/evaluate/case.h"
#include "tool/evaluate/random.h"
#include "tool/evaluate/runner.h"
#include "tool/evaluate/statistics.h"
#include "tool/model/verdict.h"

namespace hone::evaluate {

struct Timing {
  Measurement measurement;
  Decision decision = Decision::undecided;
  std::string misdeed;  // a sentence: the candidate failed or cheated while timed
  std::string detail;
  bool of_original = false;  // the misdeed is the original's
  std::string remark;        // what goes behind the figure: "; charged with …"
  double cpu_share = 1;      // of the wall time of all samples, for single-threaded kernels
  double spread = 0;         // of the pairs' log ratios, between the quartiles, on the worst problem
  bool too_noisy = false;    // by these two: an undecided decision is the machine's fault
};

class Timer {
 public:
  // `scales`: per problem, as Verifier::scales() has them.
  Timer(const KernelSpec& spec, const Plan& plan, std::vector<Case> declared, std::vector<Bench::Scales> scales,
        Runner& reference, Runner& candidate);
  ~Timer();

  Result<Timing> run();

 private:
  struct Track;
  struct Sample {
    double wall = 0, cpu = 0;
  };
  struct Batch {
    double faster = 0, slower = 0;  // seconds of the two sides
  };

  Result<void> prepare();
  Result<void> add_pool(Track& track, unsigned calls);
  bool warm_up(Track& track, Batch& batch);     // false: a misdeed
  bool take_batch(Track& track, Batch& batch);  // likewise
  bool take_pair(Track& track);                 // false: a misdeed
  bool map(Track& track);
  bool move_when_due(Track& track);
  bool take_sample(Track& track, Bench::Side side, unsigned first_slot, Sample& sample);
  bool outputs_agree(Track& track, unsigned slot);
  bool batch_agrees(Track& track, unsigned first_slot);
  bool measure_until(double deadline);
  Track& next_track();
  Track& scarcest_track();
  Decision look(unsigned number);
  double& accounted(Bench::Side side) { return accounted_[side == Bench::Side::candidate]; }
  double outside(Bench::Side side) const;  // CPU seconds beside what is accounted for
  void charge_late_work();
  void refuse_late_work();
  PairedSamples charged(PairedSamples samples) const;
  bool busy() const;
  bool waits_like_the_original() const;
  void check_for_cheats();
  void report(double seconds);
  bool blame(Bench::Side side, const Track& track, const RunnerFailure& failure);

  const KernelSpec& spec_;
  const Plan& plan_;
  Runner& reference_;
  Runner& candidate_;
  std::vector<Track> tracks_;
  Random random_;
  Estimate estimate_;
  Timing timing_;
  bool by_cpu_ = true;
  double cpu_total_ = 0, wall_total_ = 0;       // of all samples
  double started_[2] = {}, accounted_[2] = {};  // CPU seconds of original and candidate: at the start, in calls
  double charge_ = 1;                           // times the candidate's samples
  unsigned long reference_waits_ = 0, candidate_waits_ = 0;
  double comparing_ = 0;  // seconds spent on comparing outputs
};

}  // namespace hone::evaluate
