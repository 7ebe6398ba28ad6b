// Where the user's own settings lie: $XDG_CONFIG_HOME/hone, else ~/.config/hone.
#pragma once

#include <filesystem>
#include <optional>

#include "tool/llm/settings/variables.h"

namespace hone::llm {

// Absent: neither XDG_CONFIG_HOME nor HOME names an absolute path (the XDG specification ignores others).
std::optional<std::filesystem::path> user_folder(const Environment& environment);

}  // namespace hone::llm
