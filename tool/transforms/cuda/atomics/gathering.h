// Additions of a kernel that copies of one small array in a block's shared memory can take in its place.
//
// Contract: nothing where the kernel looks at the array otherwise, synchronizes, or where nobody knows how many
// elements there are. What the launch decides is given as an expression: how many fit is to be asked where it runs.
// Never changes anything.
#pragma once

#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/cuda/atomics/atomic_call.h"

namespace hone::frontend {

inline constexpr long long most_bytes_of_block = 48 * 1024;  // that a launch gets without asking for more

struct Gathering {
  std::vector<AtomicCall> calls;  // all to one array
  long long extent = 0;           // elements; 0: the launch decides
  HandedExpression run_time;      // then
  long long element_bytes = 4;
};

std::optional<Gathering> gathering_of(const KernelContext& context);

}  // namespace hone::frontend
