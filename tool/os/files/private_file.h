// A file that nobody but its owner may read, as secrets need it. files.h has the others.
#pragma once

#include <filesystem>
#include <string_view>

#include "tool/base/result.h"

namespace hone::os {

// As write_file_atomically(), of mode 0600 whatever the umask. `replace` false: a file that is there stays as it is, and
// the answer is false.
Result<bool> write_private_file(const std::filesystem::path& path, std::string_view content, bool replace);

}  // namespace hone::os
