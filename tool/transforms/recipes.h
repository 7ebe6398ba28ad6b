// Starts for the search: compositions of transformations that tend to win on kernels built like this one.
//
// Contract: the kernel's structure alone decides (reductions, strides, borders, mathematical calls, nesting), never a
// name. A recipe is worked out gene by gene on the text that the genes before it left, so every gene has its place.
// Best guess first; no two lead to the same genome. Deterministic; parses through `state_of` only.
#pragma once

#include <vector>

#include "tool/transforms/code/recipe_builder.h"

namespace hone::frontend {

std::vector<Genome> recipes(const StateOf& state_of);
// Recipes for a launcher of CUDA kernels.
std::vector<Genome> device_recipes(const StateOf& state_of);

}  // namespace hone::frontend
