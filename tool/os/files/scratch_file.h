// A file that is written as others are (files.h), but not synced: for folders that go before a power cut could matter,
// where a sync is all that a small file's writing takes.
#pragma once

#include <filesystem>
#include <string_view>

#include "tool/base/result.h"

namespace hone::os {

// Temp file beside `path`, write, rename: nobody sees half of it, and no link that stands there is followed. Creates
// parent folders.
Result<void> write_scratch_file(const std::filesystem::path& path, std::string_view content);

}  // namespace hone::os
