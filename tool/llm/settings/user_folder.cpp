#include "tool/llm/settings/user_folder.h"

#include <string>

namespace hone::llm {

std::optional<std::filesystem::path> user_folder(const Environment& environment) {
  const auto value_of = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  if (const std::string config = value_of("XDG_CONFIG_HOME"); config.starts_with('/'))
    return std::filesystem::path(config) / "hone";
  if (const std::string home = value_of("HOME"); home.starts_with('/'))
    return std::filesystem::path(home) / ".config" / "hone";
  return std::nullopt;
}

}  // namespace hone::llm
