// Two launches, one right behind the other, of kernels that one kernel can do: the same grid and block, and each thread
// needs of what the first one writes its own elements alone.
//
//   first<<<grid, block>>>(x, y, n);     y[i] = f(x[i])
//   second<<<grid, block>>>(y, z, n);    z[i] = g(y[i])
//
// Contract: nothing where a kernel is not of the usual form (device_kernel.h), is launched elsewhere too, or memory is
// reached in a way that is not understood. Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

struct LaunchPair {
  KernelContext second_context;
  DeviceKernel first, second;
  // Parameters, of the second kernel and of the first one, that are handed the same.
  std::vector<std::pair<const clang::ParmVarDecl*, const clang::ParmVarDecl*>> shared;
};

// The context's kernel and the one that is launched next.
std::optional<LaunchPair> launch_pair_of(const KernelContext& context);

}  // namespace hone::frontend
