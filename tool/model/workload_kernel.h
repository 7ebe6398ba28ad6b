// A kernel with workload(fn) is called by a function of the user's, which makes arguments and hands over results. To
// the judge its parameters are that function's scalars, then arrays by which the harness draws and hands over
// (frontend/describe/workload_data.h). The last of them tells such a kernel from all others.
#pragma once

#include "tool/model/kernel_spec.h"

namespace hone {

inline constexpr const char* kResultCountsName = "result counts";  // no parameter of a function is called so

inline bool has_workload(const KernelData& data) {
  return !data.parameters.empty() && data.parameters.back().name == kResultCountsName;
}

}  // namespace hone
