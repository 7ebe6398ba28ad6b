// Who pays for what a runner's process works beside its timed calls? Pure: figures in, a charge or a refusal out.
//
// A candidate that works after its answer, or in a thread of its own, works for its calls all the same. All CPU time of
// its process is counted: in its timed calls, while its arguments were mapped anew, and beside both. What the
// original's process takes there too, the way out of a call and back into the wait, is free.
#pragma once

#include <string>

#include "tool/judge/process/subject_start.h"

namespace hone::judge {

// CPU seconds of one process, by the system's count, from the first timed call on.
struct Work {
  double whole = 0;
  double calls = 0;     // in its timed calls
  double mapping = 0;   // while it mapped its arguments, or woke its device
  double renewing = 0;  // while what its calls had left was filled anew
  double beside() const { return whole - calls - mapping - renewing; }
};

// What the candidate's samples are to be multiplied by: 1 where there is nothing to charge. Only for kernels without
// threads: those of a team spin for a moment after each call, which is no work.
double charge_for_late_work(const Work& reference, const Work& candidate, unsigned threads);

// What a device still has to do when a sample's answer has come: seconds until work of the judge's own comes through,
// medians. Other work in a stream or a context that nobody waited for holds it up.
struct Afterwards {
  double alone = 0;   // after the original's samples, before there was a candidate …
  bool idle = false;  // … or of a device that nobody had used, which is free sooner than after another process's work
  double reference = 0;  // after the original's, with the candidate's process beside it
  double candidate = 0;
  double sample = 0;  // of the candidate's
};

// What the candidate's samples are to be multiplied by for work that it leaves to the device, and what is too much to
// charge: "", or a sentence.
double charge_for_device_work(const Afterwards& after);
std::string refusal_of_device_work(const Afterwards& after);

// "", or a sentence: more than can be charged fairly. Of a team whose waiting threads spin only what works most of the
// time is told from waiting; where they sleep, so is what works a little.
std::string refusal_of_late_work(const Work& reference, const Work& candidate, unsigned threads,
                                 Waiting waiting = Waiting::spins);

}  // namespace hone::judge
