// A kernel's variants that the lock file names, from the store into the text that stands in for the kernel's.
//
// Reads the store, which checks each against its digest; else pure. What a blob says of itself is checked here: the key
// that it was judged under (cache/bound_source.h), and that it defines the function that it is to stand for.
#pragma once

#include <string>
#include <vector>

#include "cache/store.h"
#include "tool/base/result.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/lock/measured_entries.h"

namespace hone::lock {

// The text of the kernel's variant of that digest, as it was judged. Error: it is in no cache, or not the kernel's.
Result<std::string> variant_text(const KernelSpec& spec, const cache::Digest& variant, const cache::Store& store);

// The locked variants, without those families for which the original is the best known. Error: one of them is in no
// cache or does not hold.
Result<std::vector<frontend::FamilyVariant>> locked_variants(const KernelSpec& spec,
                                                             const std::vector<MeasuredEntry>& measured,
                                                             const cache::Store& store);

// How the variants go into the kernel's file, with warnings off; there must be some. Error: why they do not fit there.
Result<frontend::Replacement> placed(const frontend::FoundKernel& kernel,
                                     const std::vector<frontend::FamilyVariant>& variants, bool nvcc);

}  // namespace hone::lock
