// Which of a kernel's lock entries hold where: one for each family of architectures that it was measured on.
//
// Where the file is compiled for one family, or for a processor, there is one entry and it holds. Where it is compiled
// for several, an entry holds for the code that its device ran (command/cuda_architecture.h); one that does not say
// where it was measured, as Hone once wrote them, holds for none. One whose seal is not its own (cache/seal.h) holds
// nowhere. Pure.
#pragma once

#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "tool/model/kernel_spec.h"

namespace hone::lock {

bool is_for_several_families(const KernelSpec& spec);
bool is_for_several_architectures(const KernelSpec& spec);  // of one family or more

struct MeasuredEntry {
  unsigned family = 0;  // 0: whatever the code's is
  const cache::LockEntry* entry = nullptr;
};

// The entries that hold, one for each family, ascending; empty: nothing that is locked holds here.
std::vector<MeasuredEntry> measured_entries(const cache::LockFile& lock, const KernelSpec& spec);

// Why an entry that has the kernel's key holds nowhere; "" where there is none such.
std::string why_distrusted(const cache::LockFile& lock, const KernelSpec& spec);

// The entry that holds for the code which `device` ("sm_90") runs; "": of any device. nullptr: nothing.
const cache::LockEntry* entry_for(const cache::LockFile& lock, const KernelSpec& spec, const std::string& device);

}  // namespace hone::lock
