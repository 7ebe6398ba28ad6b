// How much faster is the candidate? Original and candidate in two long-lived processes, timed from here in adjacent
// pairs in random order, on data that change from pair to pair, until the rule of statistics.h decides.
//
// The clock is read by the judge: the process's CPU time for single-threaded kernels (wall time must agree that it is
// not slower), wall time for others. Outputs of timed pairs are compared now and then, so that what was right in
// verification and is wrong while timed shows. Never runs two things at once. One thread; the runners are borrowed, and
// must be pinned and exclusive already.
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

  Result<void> prepare();
  Result<void> add_pool(Track& track);
  bool take_pair(Track& track);  // false: a misdeed
  bool map(Track& track);
  bool move_when_due(Track& track);
  bool take_sample(Track& track, Bench::Side side, unsigned first_slot, Sample& sample);
  bool outputs_agree(Track& track, unsigned slot);
  bool measure_until(double deadline);
  Track& next_track();
  Track& scarcest_track();
  Decision look(unsigned number);
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
  double cpu_total_ = 0, wall_total_ = 0;  // of all samples
  double candidate_cpu_accounted_ = 0;
  unsigned long reference_waits_ = 0, candidate_waits_ = 0;
  double comparing_ = 0;  // seconds spent on comparing outputs
};

}  // namespace hone::evaluate
