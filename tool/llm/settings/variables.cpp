#include "tool/llm/settings/variables.h"

#include <unistd.h>

#include <string_view>

namespace hone::llm {

Environment own_environment() {
  Environment all;
  for (char** item = environ; item != nullptr && *item != nullptr; ++item) {
    const std::string_view text = *item;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals != 0) all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

}  // namespace hone::llm
