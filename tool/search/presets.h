// The strategies that ship with Hone: presets/*.json, embedded when Hone is built.
#pragma once

#include <string_view>
#include <vector>

namespace hone::search {

struct Preset {
  std::string_view name;
  std::string_view text;
};

const std::vector<Preset>& presets();  // sorted by name

}  // namespace hone::search
