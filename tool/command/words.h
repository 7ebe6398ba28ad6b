// A command that a user wrote in one string, cut into arguments as a shell would: blanks separate, '…' is literal, "…"
// keeps blanks, \ takes the next character as it is. No expansion of any kind: $, * and ; are ordinary characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone {

// Error: a quote that is not closed, or nothing to run.
Result<std::vector<std::string>> split_words(std::string_view text);

}  // namespace hone
