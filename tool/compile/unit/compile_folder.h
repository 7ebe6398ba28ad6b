// Where one compile works.
#pragma once

#include <string>

#include <filesystem>

#include "tool/base/result.h"
#include "tool/compile/unit/frozen_unit.h"
#include "tool/os/files/files.h"

namespace hone::compile {

// A folder of the sandbox's with all that a compile of `source` in the unit reads of ours, but for the text.
Result<os::TemporaryFolder> lay_out(const FrozenUnit& unit, const std::string& source);

// The text of that compile, where the words of compile_words.h look for it: whole, or what stands behind the unit's
// preamble. Where it is there already nothing is written.
Result<void> write_text(const os::TemporaryFolder& folder, const FrozenUnit& unit, const std::string& source);
Result<void> write_text_behind_preamble(const os::TemporaryFolder& folder, const FrozenUnit& unit,
                                        const std::string& source);

// The same folder with another text as the unit's.
Result<os::TemporaryFolder> lay_out_text(const FrozenUnit& unit, const std::string& text, const std::string& source);

// Makes a file or folder readable by all and writable by nobody but us, whatever the sandbox may be.
Result<void> keep_for_reading(const std::filesystem::path& path);

// Makes an empty folder.
Result<os::TemporaryFolder> folder_for_sandbox(const std::string& name = "hone-compile");

}  // namespace hone::compile
