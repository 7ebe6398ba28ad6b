// The harness's part for a kernel with workload(fn): hone_prepare and hone_call (runner/abi.h), and what results need.
//
// The slots are those of describe/workload_data.h. All of it stands in the kernel's namespaces, where `hone_function`
// is the type of a pointer to the workload and hone_type_<i> that of its scalar number i. Pure.
#pragma once

#include <string>
#include <vector>

namespace hone::frontend {

// `whole` has a member for each scalar: may it be a size? `called` is how the workload is called there:
// "app::make_case" on lines of its own.
struct WorkloadText {
  std::vector<bool> whole;
  std::string called;
  bool c = false;  // the language; the text is C89
};

// hone_workload_here, hone_call_here and hone_measured, of which the last is called with the scalars' values.
std::string workload_text(const WorkloadText& workload);

}  // namespace hone::frontend
