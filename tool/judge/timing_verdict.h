// What a timing comes to, in a verdict's words. Pure.
#pragma once

#include <string>

#include "tool/judge/time/timer.h"
#include "tool/model/verdict.h"

namespace hone::judge {

struct TimingVerdict {
  Stage stage = Stage::time;
  bool right = true, faster = false;
  DiagnosticCode code = DiagnosticCode::none;
  std::string reason;  // a sentence with the figure in it
};

// `errors`: what goes behind the figure, where a right candidate takes much of its tolerance.
TimingVerdict conclude(const Timing& timing, const std::string& errors);

}  // namespace hone::judge
