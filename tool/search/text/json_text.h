// JSON as models write it: inside prose or a fence, with comments, trailing commas and line ends inside strings.
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace hone::search {

// The first object or list in the text that parses; nothing where there is none. Never throws.
std::optional<nlohmann::json> find_json(std::string_view text);

// The text, where it is an object or a list that holds something and nothing else, as it stands. Never throws.
std::optional<nlohmann::json> whole_json(std::string_view text);

}  // namespace hone::search
