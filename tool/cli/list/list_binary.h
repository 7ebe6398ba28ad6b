// `hone list --binary`: what files that were built say of the kernels compiled in. No project is needed.
#pragma once

#include <string>
#include <vector>

namespace hone::cli {

// The exit code. `names`: only these kernels.
int list_binaries(const std::vector<std::string>& files, const std::vector<std::string>& names, bool as_json);

}  // namespace hone::cli
