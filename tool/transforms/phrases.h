// What each transformation does for speed, in a few words: for the comment that stands in front of a variant.
#pragma once

#include <string_view>

namespace hone::frontend {

// "" for a name that no transformation has.
std::string_view phrase_of(std::string_view transformation);

}  // namespace hone::frontend
