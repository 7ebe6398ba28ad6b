// Will somebody look up lines of the object's sources? Then the variants are kept where it says that they are. Pure.
#pragma once

#include <string>
#include <vector>

namespace hone::apply {

// -g and its like, the last of which counts, and coverage.
bool is_read_back(const std::vector<std::string>& arguments);

}  // namespace hone::apply
