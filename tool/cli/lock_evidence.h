// `hone lock evidence`: figures of other machines into the lock file, and the table of what holds where.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

// `lock`: "" for the nearest above the working directory. Without files it prints only. The exit code.
int lock_evidence(const std::vector<std::string>& files, std::string lock, bool as_json);

}  // namespace hone::cli
