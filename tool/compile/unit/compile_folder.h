// Where one compile works.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/compile/unit/frozen_unit.h"
#include "tool/os/files/files.h"

namespace hone::compile {

// A folder of the sandbox's, with `text` as the unit and all that its compile reads of ours.
Result<os::TemporaryFolder> lay_out(const FrozenUnit& unit, const std::string& text, const std::string& source);

// Makes an empty folder.
Result<os::TemporaryFolder> folder_for_sandbox();

}  // namespace hone::compile
