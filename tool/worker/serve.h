// A worker that stays: judges bundle after bundle for one sender, over stdin and stdout (tool/bundle/service.h).
//
// Nothing of a candidate is kept from one bundle to the next: each has runners of its own. What is kept is what costs
// time and is not a candidate's, as the devices that are open. Ends with its input, also in the middle of a judgment,
// and where the sender has been silent for longer than it may be. Starts a thread; one call in a process.
#pragma once

#include <chrono>

#include "tool/base/result.h"
#include "tool/bundle/service.h"
#include "tool/judge/judge.h"

namespace hone::worker {

struct ServeOptions {
  std::chrono::milliseconds pulse = bundle::pulse_interval, silence = bundle::longest_silence;
};

// Does not return unless what comes in is no frame, or is silent too long: the end of the input ends the process.
Error serve(const judge::JudgeOptions& judge, const ServeOptions& options = {});

}  // namespace hone::worker
