// What each problem takes at least by this machine's rates, for kernels that were measured on a machine of its kind.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/project/kernels.h"

namespace hone::page {

using LeastTimes = std::map<std::string, double>;  // seconds, by the problem's label

// One kernel, and the verdict that its figures are of.
struct TimedKernel {
  const project::ProjectKernel* kernel = nullptr;
  const Verdict* verdict = nullptr;
};

// In the order of `timed`; empty where nothing is known. Measures the machine's rates once, which takes up to half a
// second, and counts the work of each kernel on all processors.
std::vector<LeastTimes> least_times(const std::vector<TimedKernel>& timed);

}  // namespace hone::page
