// Starts for the search: compositions of transformations that tend to win on kernels built like this one.
//
// Contract: the kernel's structure alone decides (reductions, strides, borders, mathematical calls, nesting), never a
// name. A recipe is worked out gene by gene on the text that the genes before it left, so every gene has its place.
// Best guess first; no two lead to the same genome. Deterministic; parses through `reach` only.
#pragma once

#include <functional>
#include <vector>

#include "tool/transforms/code/transformation.h"

namespace hone::frontend {

// The state that a genome leads to. Genes that do nothing are taken out of it. The context is valid until the next
// call.
using Reach = std::function<const KernelContext&(Genome&)>;

std::vector<Genome> recipes(const Reach& reach);
// The same for a launcher of CUDA kernels.
std::vector<Genome> device_recipes(const Reach& reach);

}  // namespace hone::frontend
