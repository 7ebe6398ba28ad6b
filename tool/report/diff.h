// The difference between two texts, as `diff -u` prints it.
#pragma once

#include <string>
#include <string_view>

namespace hone::report {

// "" when they are equal. A text without a newline at its end is treated as if it had one.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                         std::string_view after_name, unsigned context = 3);

}  // namespace hone::report
