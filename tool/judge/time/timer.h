// How much faster is the candidate? Pairs of samples are taken (stopwatch.h) until the rule of statistics.h decides.
//
// The clock is read by the judge: the process's CPU time for single-threaded kernels (wall time must show a gain, too),
// wall time for others. CPU time that the candidate takes beside its calls is charged to them
// (work_outside_calls.h), and what is faster by its median must be so by the sum of all samples too. Never runs two
// things at once. One thread; the runners are borrowed, and must be pinned and exclusive already.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/judge/bench/bench.h"
#include "tool/judge/data/case.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/time/stopwatch.h"
#include "tool/judge/time/work_outside_calls.h"
#include "tool/model/verdict.h"
#include "tool/statistics/statistics.h"

namespace hone::judge {

struct Timing {
  Measurement measurement;
  statistics::Decision decision = statistics::Decision::undecided;
  std::string misdeed;  // a sentence: the candidate failed or cheated while timed
  std::string detail;
  bool of_original = false;  // the misdeed is the original's
  bool late_work = false;    // the misdeed is work beside the calls, which of a team that spins may be waiting
  std::string remark;        // what goes behind the figure: "; charged with …"
  std::string
      roofline;  // how near it comes to what the ground's memory can move; a line a problem, where that was measured
  double cpu_share = 1;    // of the wall time of all samples, for single-threaded kernels
  double spread = 0;       // of the pairs' log ratios, between the quartiles, on the worst problem
  bool too_noisy = false;  // by these two: an undecided decision is the machine's fault
};

class Timer {
 public:
  // `scales`: per problem, as Verifier::scales() has them.
  Timer(const TimerSetup& setup, std::vector<Case> declared, std::vector<Bench::Scales> scales);

  // May be called before run(), which does it where nobody has: it takes as long as a look, and needs no quiet.
  Result<void> make_pools() { return stopwatch_.make_pools(); }
  Result<Timing> run();

 private:
  bool failed();  // takes a misdeed over from the stopwatch
  statistics::Decision look(unsigned number);
  statistics::PairedSamples charged(const Stopwatch::Track& track, statistics::PairedSamples samples) const;
  std::string roofline() const;
  double speedup_of_sums(const std::vector<statistics::PairedSamples>& problems) const;
  bool busy() const;
  void check_for_cheats();
  void report(double seconds);

  const KernelData& spec_;
  const bundle::Plan& plan_;
  Ground& ground_;
  const unsigned threads_;  // those of the ground's runtime included
  const bool compared_;     // or there is nothing to compare
  const Waiting waiting_;   // of both processes' threads
  Stopwatch stopwatch_;
  statistics::Estimate estimate_;
  Timing timing_;
  double charge_ = 1;  // times the candidate's samples
};

}  // namespace hone::judge
