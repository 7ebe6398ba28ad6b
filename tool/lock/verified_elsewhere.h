// What `hone verify --json` printed on some machine, joined to the lock file of the commit that it verified.
//
// A figure counts only for the entry of its key and its variant; of several families of GPUs, for the entry of the
// family that ran. Of two figures of one kind the later read one stays. Nothing is trusted in these files but that:
// they are bounded and checked, and can only take a variant out of builds (decision 55). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/held_on.h"
#include "cache/lock_file.h"
#include "tool/base/result.h"

namespace hone::lock {

struct VerifiedElsewhere {
  std::string name;
  cache::Digest key, variant;
  std::string machine;
  std::optional<cache::MachineFigure> figure;
  std::string why_none;  // where there is no figure
};

// Error: it is not what `hone verify --json` prints, with line and column. `shown` names it.
Result<std::vector<VerifiedElsewhere>> read_verified(const std::string& text, const std::string& shown);

// Puts them into the lock file. What says, each in a sentence, which of them are of no use to it.
std::vector<std::string> join_verified(cache::LockFile& lock, const std::vector<VerifiedElsewhere>& figures);

}  // namespace hone::lock
