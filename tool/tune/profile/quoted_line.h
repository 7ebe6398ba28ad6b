// How profiles speak of a candidate's lines. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::tune {

std::vector<std::string_view> lines_of(std::string_view text);
std::string_view trimmed(std::string_view text);

// "line 5 `for (int j = 0; …)`", cut where it is long; lines count from 1. The number alone where there is no such
// line.
std::string quoted_line(const std::vector<std::string_view>& source, unsigned line);

}  // namespace hone::tune
