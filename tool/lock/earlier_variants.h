// What the lock file still has of a kernel under other keys: its variants before it was edited, or for other flags,
// another target or other options.
//
// Each is a candidate and no more: it was judged for another state, and nothing here says that it is right for this
// one. Only entries that fit their seal and whose blob is whole, names the entry's key and defines the function. Reads
// the store; changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "cache/target_fit.h"
#include "tool/lock/record.h"
#include "tool/model/kernel_spec.h"
#include "tool/project/project.h"

namespace hone::lock {

struct EarlierVariant {
  cache::LockEntry entry;
  cache::TargetFit fit = cache::TargetFit::none;  // how well what it was tuned for fits this build
  std::string source;
  std::optional<Record> record;  // who found it, and how; where this machine has that
};

// Best fit first, then by speedup; each text once. `device` ("sm_90"; "": not known, or any) is where variants will
// run: of a file that is compiled for several families, what was measured on another family fits not at all.
std::vector<EarlierVariant> earlier_variants(const cache::LockFile& lock, const KernelSpec& spec,
                                             const project::ProjectUnit& unit, const cache::Store& store,
                                             const std::string& device = {});

}  // namespace hone::lock
