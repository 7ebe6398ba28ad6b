// The page's parts that travel inside the program.
#pragma once

#include <vector>

#include "tool/base/embedded_text.h"

namespace hone::page {

const std::vector<EmbeddedText>& embedded_frame();      // "page" and "style"
const std::vector<EmbeddedText>& embedded_scripts();    // ours, in the order in which they run
const std::vector<EmbeddedText>& embedded_libraries();  // others', in the order in which they run
const std::vector<EmbeddedText>& embedded_licenses();   // theirs, named by package

}  // namespace hone::page
