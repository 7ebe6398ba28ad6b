#include "tool/llm/settings/trust.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/base/printable.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/settings/user_folder.h"
#include "tool/os/files/files.h"

namespace hone::llm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t largest_trust_file = 1u << 20;

Result<fs::path> trust_file(const Environment& environment) {
  if (const auto folder = user_folder(environment)) return *folder / "trusted.json";
  return coded_failure(DiagnosticCode::store_folder, "no folder for the user's settings", {},
                       "set XDG_CONFIG_HOME or HOME");
}

// Links to the project are the project.
std::string name_of(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  return (error ? folder : whole).string();
}

Result<json> read_entries(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return json::array();
  HONE_TRY(const std::string text, os::read_file(file, largest_trust_file));
  json document = json::parse(text, nullptr, false);
  if (document.is_object() && document.contains("trusted") && document["trusted"].is_array())
    return document["trusted"];
  return coded_failure(DiagnosticCode::model_not_allowed, "this is no list of trusted projects", file.string(),
                       "mend it, or delete it and allow them again");
}

bool is_of(const json& entry, const std::string& folder) {
  return entry.is_object() && entry.value("folder", json()) == json(folder);
}

bool allows(const json& entries, const std::string& folder, const std::string& name) {
  return std::ranges::any_of(entries, [&](const json& entry) {
    if (!is_of(entry, folder) || !entry.contains("names") || !entry["names"].is_array()) return false;
    return std::ranges::find(entry["names"], json(name)) != entry["names"].end();
  });
}

std::string place_of(const ModelSettings& model) {
  if (model.provider == Provider::command) return fmt::format("the command '{}'", fmt::join(model.command, " "));
  std::vector<std::string> keys;
  if (!model.key_env.empty()) keys.push_back("the key in " + model.key_env);
  for (const HeaderSetting& header : model.headers)
    if (!header.variable.empty()) keys.push_back(fmt::format("{} in the header {}", header.variable, header.name));
  return fmt::format("{} at {} with {}{}", model.provider == Provider::openai ? "openai" : "anthropic", model.endpoint,
                     keys.empty() ? "no key" : fmt::format("{}", fmt::join(keys, " and ")),
                     model.allow_plain_http ? ", over plain http" : "");
}

}  // namespace

std::vector<std::string> named_by_project(const Settings& settings) {
  std::vector<std::string> names;
  for (const ModelSettings& model : settings.models)
    if (model.named_by_project) names.push_back(printable_line(place_of(model)));
  return names;
}

Result<void> check_trust(const Settings& settings, const fs::path& folder, const Environment& environment) {
  std::vector<std::string> names = named_by_project(settings);
  if (names.empty()) return {};
  HONE_TRY(const fs::path file, trust_file(environment));
  HONE_TRY(const json entries, read_entries(file));
  std::erase_if(names, [&](const std::string& name) { return allows(entries, name_of(folder), name); });
  if (names.empty()) return {};
  return coded_failure(
      DiagnosticCode::model_not_allowed,
      fmt::format("the project asks to send source to {}; nothing was sent", fmt::join(names, " and ")),
      (folder / "hone.json").string(),
      fmt::format("if you agree, run hone tune --trust-project once (your yes is kept in {}), or name the "
                  "model yourself with --proposer, --model and --endpoint",
                  file.string()));
}

Result<void> trust(const Settings& settings, const fs::path& folder, const Environment& environment) {
  const std::vector<std::string> names = named_by_project(settings);
  if (names.empty()) return {};
  HONE_TRY(const fs::path file, trust_file(environment));
  HONE_TRY(json entries, read_entries(file));
  const std::string where = name_of(folder);
  std::erase_if(entries.get_ref<json::array_t&>(), [&](const json& entry) { return is_of(entry, where); });
  entries.push_back({{"folder", where}, {"names", names}});
  return os::write_file_atomically(file, json{{"trusted", std::move(entries)}}.dump(2) + '\n');
}

}  // namespace hone::llm
