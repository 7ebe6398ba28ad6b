// What searches learned across kernels (search/memory/memory.h), in the user's cache folder:
// $XDG_CACHE_HOME/hone/memory.json.
//
// Read when a model's search starts, merged when it ends: under a lock, so that two runs lose nothing of each other's,
// and replaced atomically. It holds states, techniques and figures, no source. A file that cannot be read is set aside.
#pragma once

#include <filesystem>

#include "tool/base/result.h"
#include "tool/search/memory/memory.h"

namespace hone::tune {

Result<std::filesystem::path> memory_file();

// Empty where there is none yet. Error: the file is there and is none, with the line.
Result<search::Memory> read_memory(const std::filesystem::path& file);

// Adds what a search that started from `before` had learned by the end (`after`) to what the file holds by now.
Result<void> add_to_memory(const std::filesystem::path& file, const search::Memory& before,
                           const search::Memory& after);

}  // namespace hone::tune
