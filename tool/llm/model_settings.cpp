#include "tool/llm/model_settings.h"

#include <cmath>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/command/words.h"
#include "tool/llm/clean_text.h"
#include "tool/llm/settings_file.h"
#include "tool/llm/trust.h"
#include "tool/os/files/files.h"
#include "tool/os/http/url.h"
#include "tool/os/process/environment.h"

namespace hone::llm {
namespace {

constexpr std::string_view command_prefix = "command:";
constexpr std::size_t largest_settings_file = 1u << 20;

// What an environment variable says, where it is set to something.
std::optional<std::string> look_up(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

Result<std::optional<double>> number(const Environment& environment, const char* name, double least, double most) {
  const auto text = look_up(environment, name);
  if (!text) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (end == text->c_str() || *end != '\0' || !(value >= least && value <= most)) {
    return failure(fmt::format("it must be a number from {:g} to {:g}", least, most), name);
  }
  return value;
}

Result<std::optional<unsigned>> whole_number(const Environment& environment, const char* name, double most) {
  HONE_TRY(const auto value, number(environment, name, 1, most));
  if (value && *value != std::floor(*value)) return failure("it must be a whole number", name);
  return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
}

template <class T>
void prefer(std::optional<T>& chosen, const std::optional<T>& other) {
  if (!chosen) chosen = other;
}

// The command line over the environment.
Result<Overrides> with_environment(Overrides said, const Environment& environment) {
  prefer(said.proposer, look_up(environment, "HONE_PROPOSER"));
  prefer(said.endpoint, look_up(environment, "HONE_ENDPOINT"));
  prefer(said.model, look_up(environment, "HONE_MODEL"));
  HONE_TRY(const auto temperature, number(environment, "HONE_TEMPERATURE", 0, 10));
  HONE_TRY(const auto price_input, number(environment, "HONE_PRICE_INPUT", 0, 1e6));
  HONE_TRY(const auto price_output, number(environment, "HONE_PRICE_OUTPUT", 0, 1e6));
  HONE_TRY(const auto timeout, number(environment, "HONE_TIMEOUT", 0.001, 86'400));
  HONE_TRY(const auto max_tokens, whole_number(environment, "HONE_MAX_TOKENS", 10'000'000));
  HONE_TRY(const auto concurrency, whole_number(environment, "HONE_CONCURRENCY", 1'000));
  prefer(said.temperature, temperature);
  prefer(said.price_input, price_input);
  prefer(said.price_output, price_output);
  prefer(said.timeout, timeout);
  prefer(said.max_tokens, max_tokens);
  prefer(said.concurrency, concurrency);
  return said;
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

// An entry of an ensemble with what it leaves out taken from around it.
FileEntry inherit(FileEntry entry, const FileEntry& common) {
  prefer(entry.proposer, common.proposer);
  prefer(entry.temperature, common.temperature);
  prefer(entry.max_tokens, common.max_tokens);
  prefer(entry.connect_timeout, common.connect_timeout);
  prefer(entry.timeout, common.timeout);
  prefer(entry.concurrency, common.concurrency);
  prefer(entry.attempts, common.attempts);
  prefer(entry.reply_bytes, common.reply_bytes);
  prefer(entry.allow_plain_http, common.allow_plain_http);
  if (entry.proposer != common.proposer) return entry;
  prefer(entry.endpoint, common.endpoint);
  prefer(entry.model, common.model);
  prefer(entry.key_env, common.key_env);
  prefer(entry.price, common.price);
  prefer(entry.extra, common.extra);
  return entry;
}

Result<void> check_key_name(const std::string& name, const std::string& where) {
  // A name that os::is_secret() knows tells every part of Hone to keep the variable from its children.
  if (os::is_secret(name)) return {};
  return failure("key_env must be the name of a variable that ends in _KEY, _TOKEN or _SECRET", where,
                 "the key itself belongs in the environment");
}

// Which variable holds the key. A provider's own variable is for that provider alone: it is not sent to another host
// unless the user names it.
void choose_key(ModelSettings& model, const os::Url& url, const Environment& environment) {
  model.key_required = true;
  if (!model.key_env.empty()) return;
  if (url.host == "api.openai.com") model.key_env = "OPENAI_API_KEY";
  if (url.host == "api.anthropic.com") model.key_env = "ANTHROPIC_API_KEY";
  if (look_up(environment, "HONE_API_KEY")) model.key_env = "HONE_API_KEY";
  model.key_required = !model.key_env.empty();
}

Result<void> settle_endpoint(ModelSettings& model, const FileEntry& entry, const Environment& environment,
                             const std::string& where) {
  if (entry.key_env) HONE_CHECK(check_key_name(*entry.key_env, where));
  const bool anthropic = model.provider == Provider::anthropic;
  model.endpoint = entry.endpoint.value_or(anthropic ? "https://api.anthropic.com/v1" : "https://api.openai.com/v1");
  model.key_env = entry.key_env.value_or("");
  if (model.model.empty()) {
    return failure("no model is named", where, R"(give --model, HONE_MODEL or "model" in hone.json)");
  }
  const Result<os::Url> url = os::parse_url(model.endpoint);
  if (!url) return failure("the endpoint cannot be used: " + url.error().what, where, url.error().advice);
  choose_key(model, *url, environment);
  return {};
}

Result<ModelSettings> settle_model(const FileEntry& entry, const Environment& environment, const std::string& where) {
  ModelSettings model;
  const std::string proposer = entry.proposer.value_or("");
  model.model = entry.model.value_or("");
  model.temperature = entry.temperature;
  model.max_tokens = entry.max_tokens.value_or(model.max_tokens);
  model.price = entry.price.value_or(model.price);
  model.weight = entry.weight.value_or(model.weight);
  if (entry.connect_timeout) model.connect_timeout = milliseconds(*entry.connect_timeout);
  if (entry.timeout) model.timeout = milliseconds(*entry.timeout);
  model.concurrency = entry.concurrency.value_or(model.concurrency);
  model.attempts = entry.attempts.value_or(model.attempts);
  model.reply_bytes = entry.reply_bytes.value_or(model.reply_bytes);
  model.allow_plain_http = entry.allow_plain_http.value_or(false);
  model.extra = entry.extra.value_or("");
  if (proposer.starts_with(command_prefix)) {
    model.provider = Provider::command;
    const std::string_view line = std::string_view(proposer).substr(command_prefix.size());
    auto words = split_words(line);
    if (!words)
      return failure(fmt::format("the command '{}' cannot be run: {}", one_line(line, 120), words.error().what), where,
                     "write it as command:PROGRAM ARGUMENTS");
    model.command = std::move(*words);
    return model;
  }
  if (proposer != "openai" && proposer != "anthropic") {
    return failure(fmt::format("there is no language model called '{}'", one_line(proposer, 60)), where,
                   "choose openai, anthropic or command:PROGRAM ARGUMENTS");
  }
  model.provider = proposer == "openai" ? Provider::openai : Provider::anthropic;
  HONE_CHECK(settle_endpoint(model, entry, environment, where));
  return model;
}

// Puts the numbers of the command line over those of the file.
void override_numbers(FileEntry& entry, const Overrides& said) {
  if (said.temperature) entry.temperature = said.temperature;
  if (said.max_tokens) entry.max_tokens = said.max_tokens;
  if (said.timeout) entry.timeout = said.timeout;
  if (said.concurrency) entry.concurrency = said.concurrency;
  if (said.price_input || said.price_output) {
    const Price price = entry.price.value_or(Price{});
    entry.price = Price{said.price_input.value_or(price.input), said.price_output.value_or(price.output)};
  }
}

FileEntry single(const FileEntry& common, const std::string& proposer, const Overrides& said) {
  FileEntry entry;
  entry.proposer = proposer;
  // The file's endpoint and model belong to the file's proposer, not to the one that was asked for.
  FileEntry around = common;
  if (!around.proposer || *around.proposer == "ensemble") around.proposer = proposer;
  if (said.endpoint) entry.endpoint = said.endpoint;
  if (said.model) entry.model = said.model;
  if (said.key_env) entry.key_env = said.key_env;
  entry = inherit(std::move(entry), around);
  override_numbers(entry, said);
  return entry;
}

// What a project's files say of a model. A command in hone_target() is not among it: the build runs commands anyway.
struct FromProject {
  bool proposer = false;       // of hone.json or hone_target()
  bool build_command = false;  // of hone_target()
  bool endpoint = false, key = false, plain_http = false;
};

bool needs_yes(const ModelSettings& model, const FromProject& from) {
  if (model.provider == Provider::command) return from.proposer && !from.build_command;
  const auto url = os::parse_url(model.endpoint);
  if (url && os::is_loopback(*url) && !from.key) return false;
  return from.proposer || from.endpoint || from.key || (from.plain_http && model.allow_plain_http);
}

bool needs_no_model(std::string_view proposer) {
  return proposer == "builtin" || proposer == "replay" || proposer.starts_with("replay:");
}

}  // namespace

Result<Settings> settle(const Overrides& command_line, const Environment& environment, std::string_view json,
                        const std::string& where) {
  Overrides over_environment = command_line;
  prefer(over_environment.proposer, command_line.project_proposer);
  HONE_TRY(const Overrides said, with_environment(over_environment, environment));
  SettingsFile file;
  if (!json.empty()) {
    HONE_TRY(file, parse_settings_file(json, where));
  }

  Settings settings;
  const std::string fallback = file.ensemble.empty() ? "builtin" : "ensemble";
  settings.proposer = said.proposer.value_or(file.common.proposer.value_or(fallback));
  if (needs_no_model(settings.proposer)) return settings;
  if (settings.proposer != "ensemble") {
    const FileEntry entry = single(file.common, settings.proposer, said);
    HONE_TRY(ModelSettings model, settle_model(entry, environment, where));
    const bool by_build = !command_line.proposer && command_line.project_proposer;
    model.named_by_project = needs_yes(model, {.proposer = by_build || !said.proposer,
                                               .build_command = by_build,
                                               .endpoint = entry.endpoint && !said.endpoint,
                                               .key = entry.key_env && !said.key_env,
                                               .plain_http = entry.allow_plain_http.value_or(false)});
    settings.models.push_back(std::move(model));
    return settings;
  }

  if (file.ensemble.empty()) return failure("hone.json lists no \"ensemble\"", where);
  if (said.endpoint || said.model || said.key_env) {
    return failure("an ensemble names its own endpoints and models", where,
                   "leave out --endpoint, --model, HONE_ENDPOINT and HONE_MODEL, or name another proposer");
  }
  for (const FileEntry& listed : file.ensemble) {
    FileEntry entry = inherit(listed, file.common);
    override_numbers(entry, said);
    HONE_TRY(ModelSettings model, settle_model(entry, environment, where));
    model.named_by_project = needs_yes(model, {.proposer = true,
                                               .endpoint = entry.endpoint.has_value(),
                                               .key = entry.key_env.has_value(),
                                               .plain_http = entry.allow_plain_http.value_or(false)});
    settings.models.push_back(std::move(model));
  }
  return settings;
}

Result<Settings> settle_in(const std::filesystem::path& folder, const Overrides& command_line,
                           const Environment& environment) {
  const std::filesystem::path path = folder / "hone.json";
  std::error_code ignored;
  std::string text;
  if (std::filesystem::exists(path, ignored)) {
    HONE_TRY(text, os::read_file(path, largest_settings_file));
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return failure("the file is empty", path.string());
  }
  HONE_TRY(Settings settings, settle(command_line, environment, text, path.string()));
  if (command_line.trust_project) HONE_CHECK(trust(settings, folder, environment));
  HONE_CHECK(check_trust(settings, folder, environment));
  return settings;
}

std::string describe(const Settings& settings) {
  std::vector<std::string> places;
  for (const ModelSettings& model : settings.models) {
    const std::string named = model.model.empty() ? "" : fmt::format("model {}, ", one_line(model.model, 80));
    std::string place;
    if (model.provider == Provider::command) {
      place = fmt::format("the command '{}'", one_line(fmt::format("{}", fmt::join(model.command, " ")), 120));
    } else {
      const auto url = os::parse_url(model.endpoint);
      place = url ? url->origin() : "an endpoint that is none";
    }
    places.push_back(fmt::format("{} ({}{} at once)", place, named, model.concurrency));
  }
  if (places.empty()) return {};
  return fmt::format("sends the source of annotated kernels and what it reaches to {}", fmt::join(places, " and "));
}

}  // namespace hone::llm
