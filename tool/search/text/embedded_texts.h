// The templates and notes that travel inside the program.
#pragma once

#include <vector>

#include "tool/base/embedded_text.h"

namespace hone::search {

const std::vector<EmbeddedText>& embedded_templates();  // sorted by name
const std::vector<EmbeddedText>& embedded_notes();

}  // namespace hone::search
