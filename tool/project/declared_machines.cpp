#include "tool/project/declared_machines.h"

#include <nlohmann/json.hpp>

#include "tool/base/machine_kind.h"
#include "tool/os/files/files.h"

namespace hone::project {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest = std::size_t{1} << 20;

}  // namespace

fs::path settings_beside(const fs::path& lock) {
  return lock.parent_path() / "hone.json";
}

Result<std::vector<std::string>> declared_machines(const fs::path& lock) {
  const fs::path file = settings_beside(lock);
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  HONE_TRY(const std::string text, os::read_file(file, largest));
  const nlohmann::json settings = nlohmann::json::parse(text, nullptr, false);
  if (!settings.is_object()) return failure("this is no JSON object", file.string(), "its shape is in docs/llm.md");
  const auto member = settings.find("machines");
  if (member == settings.end()) return {};
  const auto wrong = [&] {
    return failure("\"machines\" must be a list of kinds of machines", file.string(),
                   R"(write them as hone verify --json does, like ["AMD EPYC 9V74"])");
  };
  if (!member->is_array()) return wrong();
  std::vector<std::string> machines;
  for (const nlohmann::json& one : *member) {
    if (!one.is_string()) return wrong();
    machines.push_back(tidy_kind(one.get<std::string>()));
    if (!is_machine_kind(machines.back())) return wrong();
  }
  return machines;
}

}  // namespace hone::project
