// The kinds of machines that a project declares in its hone.json, beside the lock file:
//
//   { "machines": ["AMD EPYC 9V74", "Intel Xeon Platinum 8480C", "NVIDIA H200 (sm_90)"] }
//
// They are what `hone verify` and `hone doctor` call a kind (tool/base/machine_kind.h), or what the system calls the
// processor. Only the project's file counts, not the user's: what is linked depends on the commit alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"

namespace hone::project {

std::filesystem::path settings_beside(const std::filesystem::path& lock);

// Tidy, as Hone writes kinds; none: no file, or it declares none. Error: the file is no JSON, or these are no kinds.
Result<std::vector<std::string>> declared_machines(const std::filesystem::path& lock);

}  // namespace hone::project
