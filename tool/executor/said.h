// What a worker's command said, for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::executor {

// The last lines of its standard error, without what no terminal should see: the reason stands there.
std::string last_words(std::string_view text);
std::string in_one_line(const std::vector<std::string>& words);

}  // namespace hone::executor
