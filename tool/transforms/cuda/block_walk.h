// One block that scans an array piece by piece in shared memory (array_scan.h has the form).
//
// Contract: nothing where any part is of another form. Never changes anything. Borrows the AST.
#pragma once

#include "tool/transforms/cuda/array_scan.h"

namespace hone::frontend {

std::optional<ArrayScan> by_one_block(const KernelContext& context, const Launch& launch);

}  // namespace hone::frontend
