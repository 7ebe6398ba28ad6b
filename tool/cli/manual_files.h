// Man pages and completions as files below a folder that is laid out like share/.
#pragma once

#include <filesystem>

#include "tool/manual/command_text.h"

namespace hone::cli {

int write_manual(const manual::ProgramText& program, const std::filesystem::path& share);

}  // namespace hone::cli
