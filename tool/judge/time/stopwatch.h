// Takes the pairs: original and candidate in two long-lived processes, timed from here in random order, each batch of
// calls on data of its own, the outputs of calls drawn afterwards compared.
//
// On a CUDA device two processes take different times for the same code: each launch costs some tens of nanoseconds
// more or less, for as long as the process lives. So, where processes differ, the candidate's process is measured with
// the original in it first, and what it takes more or less is known before the candidate is loaded there.
//
// Keeps the samples of each problem and what the two processes worked in all; decides nothing. After a misdeed nothing
// more is taken. One thread; the runners are borrowed, and must be pinned and exclusive already.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/base/random.h"
#include "tool/bundle/bundle.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/bench/pool.h"
#include "tool/judge/data/case.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/time/process_offset.h"
#include "tool/judge/time/work_outside_calls.h"
#include "tool/os/files/clock.h"
#include "tool/statistics/statistics.h"

namespace hone::judge {

// What a timing works with. All of it is borrowed.
struct TimerSetup {
  const KernelData& spec;
  const bundle::Plan& plan;
  Subject& reference;
  Subject& candidate;
  const os::Clock& clock;
  Ground& ground;
  // The candidate's object, where its process has the original loaded until the two processes have been compared.
  // Null: it has the candidate. Without it, where processes differ, by how much is not known, and presumed large.
  const std::string* object = nullptr;
  double idle_free = 0;              // seconds until an idle ground is free, for a timing without that comparison
  Waiting waiting = Waiting::spins;  // what the processes were started with
};

class Stopwatch {
 public:
  struct Misdeed {
    std::string sentence;  // "": none
    std::string detail;
    bool of_original = false;
  };
  // One problem while it is timed.
  struct Track {
    Case c;
    Bench::Scales scales;
    unsigned set = 0;
    Pool pool;
    unsigned calls = 1;  // in one sample
    unsigned next_slot = 0;
    double next_move = 0;  // when the outputs get other pages
    bool moves = true;
    double spent = 0;     // seconds
    double timeout = 10;  // of one call
    ProcessOffset offset;
    statistics::PairedSamples decisive;  // seconds per call by the deciding clock
    statistics::PairedSamples wall;
  };

  // `scales`: per problem, as Verifier::scales() has them.
  Stopwatch(const TimerSetup& setup, std::vector<Case> declared, std::vector<Bench::Scales> scales);

  Result<void> make_pools();  // needs no quiet, unlike the rest
  // Makes the pools where that is not done, warms both sides up, finds how many calls make a sample, and compares the
  // processes; then the counting begins. A misdeed is no error.
  Result<void> prepare();
  bool measure_until(double deadline);  // by the clock; at least one pair. false: a misdeed
  bool take_pair(Track& track);         // false: a misdeed

  double now() const { return clock_.seconds(); }
  const std::vector<Track>& tracks() const { return tracks_; }
  Track& scarcest_track();
  const Misdeed& misdeed() const { return misdeed_; }
  bool by_cpu() const { return by_cpu_; }
  double cpu_seconds() const { return cpu_total_; }  // of all samples
  double wall_seconds() const { return wall_total_; }
  Work work(Bench::Side side) const;
  Afterwards afterwards() const;
  bool waits_like_the_original() const;

 private:
  struct Sample {
    double wall = 0, cpu = 0;
  };
  struct Batch {
    double faster = 0, slower = 0;  // seconds of the two sides
  };

  void begin();
  Result<void> add_pool(Track& track, unsigned calls);
  Result<void> size_samples(Track& track);
  bool compare_processes();                     // false: a misdeed
  bool warm_up(Track& track, Batch& batch);     // false: a misdeed
  bool take_batch(Track& track, Batch& batch);  // false: a misdeed
  bool map(Track& track);
  bool move_when_due(Track& track);
  bool prepare(Track& track, Bench::Side side, const CallPlan& plan);
  bool collect(Track& track, Bench::Side side);
  bool take_sample(Track& track, Bench::Side side, unsigned first_slot, std::uint64_t key, Sample& sample);
  bool renew(Track& track, Bench::Side side, std::uint64_t key);
  Pool::Fresh fresh() const { return plan_.depth == bundle::Depth::trial ? Pool::Fresh::a_few : Pool::Fresh::anew; }
  bool outputs_agree(Track& track, unsigned slot);
  bool batch_agrees(Track& track, unsigned first_slot);
  Track& next_track();
  bool blame(Bench::Side side, const Track& track, const RunnerFailure& failure);
  Subject& runner(Bench::Side side) { return side == Bench::Side::reference ? reference_ : candidate_; }
  Work& worked(Bench::Side side) { return work_[side == Bench::Side::candidate]; }

  const KernelData& spec_;
  const bundle::Plan& plan_;
  const os::Clock& clock_;
  Ground& ground_;
  Subject& reference_;
  Subject& candidate_;
  const std::string* object_;           // the candidate's, while its process has the original loaded
  double free_alone_ = 0;               // seconds until the ground is free after a sample, without the candidate …
  bool free_idle_ = false;              // … or without the sample, too
  std::vector<double> free_after_[2];   // seconds until it is free with the candidate, after each sample of the two
  std::vector<double> sample_seconds_;  // of the candidate's
  std::vector<Track> tracks_;
  Random random_;
  Random stretches_;  // which of a large output are compared
  Misdeed misdeed_;
  bool by_cpu_ = true;
  double cpu_total_ = 0, wall_total_ = 0;  // of all samples
  double started_[2] = {};                 // the clocks of original and candidate, CPU seconds
  Work work_[2];                           // since then; the whole is read when asked for
  unsigned long reference_waits_ = 0, candidate_waits_ = 0;
  double comparing_ = 0;  // seconds spent on comparing outputs
};

}  // namespace hone::judge
