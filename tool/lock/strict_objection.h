// What a strict build has against entries that any other build links: that nobody measured them afresh, or that they
// rest on the word of a key that the project does not trust, or not any more.
//
// Reads hone.trust where an entry was locked on somebody's word, and nothing else.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/lock/measured_entries.h"

namespace hone::lock {

// Does the trust file beside the lock file name the key on whose word the entry was locked, and has it not withdrawn
// the variant? So it is where it was locked on nobody's.
bool is_vouched_for(const cache::LockEntry& entry, const std::filesystem::path& lock);

struct StrictObjection {
  DiagnosticCode code;
  std::string what;  // a sentence
};

std::optional<StrictObjection> strict_objection(const KernelSpec& spec, const std::vector<MeasuredEntry>& measured,
                                                const std::filesystem::path& lock);

}  // namespace hone::lock
