// The names of LaunchCounters' figures: in JSON, and as ncu's metrics.
#pragma once

#include <span>

#include "tool/model/device_profile.h"

namespace hone {

// A figure of LaunchCounters: what it is called in JSON, and which of ncu's metrics it is.
struct LaunchFigure {
  enum class Kind { number, share, bytes };
  const char* name;
  const char* metric;
  Kind kind;
  LaunchCounters::Figure LaunchCounters::*value;
};
std::span<const LaunchFigure> launch_figures();

}  // namespace hone
