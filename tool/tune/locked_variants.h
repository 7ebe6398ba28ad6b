// A kernel's variants that the lock file names, from the store into the text that stands in for the kernel's.
//
// Reads the store, which checks each against its digest; else pure.
#pragma once

#include <vector>

#include "cache/store.h"
#include "tool/base/result.h"
#include "tool/frontend/frontend.h"
#include "tool/tune/measured_entries.h"

namespace hone::tune {

// Without those families for which the original is the best known. Error: one is in no cache.
Result<std::vector<frontend::FamilyVariant>> locked_variants(const KernelSpec& spec,
                                                             const std::vector<MeasuredEntry>& measured,
                                                             const cache::Store& store);

// In its file, with warnings off; `variants` are not empty. Error: why they do not fit there.
Result<frontend::Replacement> placed(const frontend::FoundKernel& kernel,
                                     const std::vector<frontend::FamilyVariant>& variants, bool nvcc);

}  // namespace hone::tune
