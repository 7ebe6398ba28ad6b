#include "tool/llm/settings/model_settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/command/words.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/llm/settings/clean_text.h"
#include "tool/llm/settings/known_providers.h"
#include "tool/llm/settings/price_table.h"
#include "tool/llm/settings/settings_file.h"
#include "tool/llm/settings/trust.h"
#include "tool/llm/settings/user_folder.h"
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
    return coded_failure(DiagnosticCode::model_settings,
                         fmt::format("it must be a number from {:g} to {:g}", least, most), name);
  }
  return value;
}

Result<std::optional<unsigned>> whole_number(const Environment& environment, const char* name, double most) {
  HONE_TRY(const auto value, number(environment, name, 1, most));
  if (value && *value != std::floor(*value))
    return coded_failure(DiagnosticCode::model_settings, "it must be a whole number", name);
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

// An entry with what it leaves out taken from what counts less: what stands around it, or another file.
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
  prefer(entry.effort, common.effort);
  prefer(entry.cache, common.cache);
  if (entry.proposer != common.proposer) return entry;
  prefer(entry.endpoint, common.endpoint);
  prefer(entry.model, common.model);
  prefer(entry.key_env, common.key_env);
  prefer(entry.api, common.api);
  prefer(entry.thinking, common.thinking);
  prefer(entry.headers, common.headers);
  prefer(entry.parameters, common.parameters);
  prefer(entry.price, common.price);
  prefer(entry.prices, common.prices);
  prefer(entry.extra, common.extra);
  return entry;
}

Result<void> check_key_name(const std::string& name, const std::string& where) {
  // A name that os::is_secret() knows tells every part of Hone to keep the variable from its children.
  if (os::is_secret(name)) return {};
  return coded_failure(DiagnosticCode::model_key,
                       "key_env must be the name of a variable that ends in _KEY, _TOKEN or _SECRET", where,
                       "the key itself belongs in the environment");
}

// Which variable holds the key. A provider's own variable is for that provider alone: it is not sent to another host
// unless the user names it.
void choose_key(ModelSettings& model, const os::Url& url, const Environment& environment) {
  model.key_required = true;
  if (!model.key_env.empty()) return;
  // A header with a key stands for the provider's own.
  const auto has_key = [](const HeaderSetting& header) { return !header.variable.empty(); };
  if (std::ranges::any_of(model.headers, has_key)) return void(model.key_required = false);
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
    return coded_failure(DiagnosticCode::model_unnamed, "no model is named", where,
                         R"(give --model, HONE_MODEL or "model" in hone.json)");
  }
  const Result<os::Url> url = os::parse_url(model.endpoint);
  if (!url)
    return coded_failure(DiagnosticCode::model_endpoint, "the endpoint cannot be used: " + url.error().what, where,
                         url.error().advice);
  if (!anthropic && url->path.ends_with("/responses")) model.api = Api::responses;
  choose_key(model, *url, environment);
  return {};
}

// Thinking counts as reply, and takes its time.
constexpr unsigned reply_tokens = 8192, reply_tokens_with_thinking = 32'768;
constexpr std::chrono::seconds timeout_with_thinking{900};

Result<void> settle_thinking(ModelSettings& model, const FileEntry& entry, const std::string& where) {
  model.effort = entry.effort.value_or("");
  model.thinking = entry.thinking.value_or(0);
  const bool budgeted = model.thinking > 0 && model.thinking != ModelSettings::adaptive_thinking;
  if (model.thinking > 0 && model.provider != Provider::anthropic)
    return coded_failure(DiagnosticCode::model_settings, R"("thinking" is for the proposer anthropic alone)", where,
                         R"(name an "effort" in its place, or put the server's own word for it into "extra")");
  const bool thinks =
      model.thinking > 0 || (!model.effort.empty() && model.effort != "none") || is_known_to_think(model.model);
  const unsigned usual = thinks ? reply_tokens_with_thinking : reply_tokens;
  model.max_tokens = entry.max_tokens.value_or(budgeted ? std::max(usual, model.thinking + reply_tokens) : usual);
  if (budgeted && model.max_tokens <= model.thinking)
    return coded_failure(
        DiagnosticCode::model_settings,
        fmt::format("max_tokens ({}) leaves nothing behind {} tokens of thinking", model.max_tokens, model.thinking),
        where, "thinking counts as reply: raise max_tokens");
  if (thinks) model.timeout = timeout_with_thinking;
  if (entry.timeout) model.timeout = milliseconds(*entry.timeout);
  return {};
}

Result<ModelSettings> settle_model(const FileEntry& entry, const Environment& environment, const std::string& where) {
  ModelSettings model;
  const std::string proposer = entry.proposer.value_or("");
  model.model = entry.model.value_or("");
  model.temperature = entry.temperature;
  model.price = entry.price;
  model.price_table = entry.price ? "" : entry.prices.value_or("");
  model.api = entry.api.value_or(model.api);
  model.cache = entry.cache.value_or(model.cache);
  model.headers = entry.headers.value_or(model.headers);
  model.parameters = entry.parameters.value_or(model.parameters);
  model.weight = entry.weight.value_or(model.weight);
  if (entry.connect_timeout) model.connect_timeout = milliseconds(*entry.connect_timeout);
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
      return coded_failure(DiagnosticCode::model_unnamed,
                           fmt::format("the command '{}' cannot be run: {}", one_line(line, 120), words.error().what),
                           where, "write it as command:PROGRAM ARGUMENTS");
    model.command = std::move(*words);
    HONE_CHECK(settle_thinking(model, entry, where));
    return model;
  }
  if (proposer != "openai" && proposer != "anthropic") {
    return coded_failure(DiagnosticCode::model_unnamed,
                         fmt::format("there is no language model called '{}'", one_line(proposer, 60)), where,
                         "choose openai, anthropic or command:PROGRAM ARGUMENTS");
  }
  model.provider = proposer == "openai" ? Provider::openai : Provider::anthropic;
  HONE_CHECK(settle_endpoint(model, entry, environment, where));
  HONE_CHECK(settle_thinking(model, entry, where));
  return model;
}

// Puts the numbers of the command line over those of the file.
void override_numbers(FileEntry& entry, const Overrides& said) {
  if (said.temperature) entry.temperature = said.temperature;
  if (said.max_tokens) entry.max_tokens = said.max_tokens;
  if (said.timeout) entry.timeout = said.timeout;
  if (said.concurrency) entry.concurrency = said.concurrency;
  if (said.price_input || said.price_output) {
    Price price = entry.price.value_or(Price{});
    price.input = said.price_input.value_or(price.input);
    price.output = said.price_output.value_or(price.output);
    entry.price = price;
  }
}

// A file's endpoint and model belong to the file's proposer, not to the one that was asked for.
FileEntry below(FileEntry entry, FileEntry file) {
  if (!file.proposer || *file.proposer == "ensemble") file.proposer = entry.proposer;
  return inherit(std::move(entry), file);
}

FileEntry said_by_user(const std::string& proposer, const Overrides& said, const FileEntry& file) {
  FileEntry entry;
  entry.proposer = proposer;
  entry.endpoint = said.endpoint;
  entry.model = said.model;
  entry.key_env = said.key_env;
  return below(std::move(entry), file);
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
  if (url && os::is_loopback(*url) && !from.key) return false;  // a header with a key is a key
  return from.proposer || from.endpoint || from.key || (from.plain_http && model.allow_plain_http);
}

bool needs_no_model(std::string_view proposer) {
  return proposer == "builtin" || proposer == "replay" || proposer.starts_with("replay:");
}

// The two files, and which of them names whom to ask.
struct Files {
  SettingsFile user, project;
  std::string user_where, project_where;

  bool user_names() const { return user.common.proposer || !user.ensemble.empty(); }
  const SettingsFile& naming() const { return user_names() ? user : project; }
  const std::string& where() const { return user_names() ? user_where : project_where; }
  std::string proposer() const {
    return naming().common.proposer.value_or(naming().ensemble.empty() ? "builtin" : "ensemble");
  }
};

Result<SettingsFile> read(const SettingsText& file) {
  if (file.text.empty()) return SettingsFile{};
  return parse_settings_file(file.text, file.where);
}

bool has_key_in_headers(const FileEntry& entry) {
  const auto is_key = [](const HeaderSetting& header) { return !header.variable.empty(); };
  return entry.headers && std::ranges::any_of(*entry.headers, is_key);
}

// Whether a key comes from what counts less than `users`: a key of the user's own does not speak for another.
bool adds_key(const FileEntry& entry, const FileEntry& users) {
  return (entry.key_env && !users.key_env) || (has_key_in_headers(entry) && !users.headers);
}

// `proposer` was named by hone_target(): `by_build`; by a file of the project's: `by_file`.
Result<ModelSettings> settle_one(const std::string& proposer, const Overrides& said, const Files& files,
                                 const Environment& environment, bool by_build, bool by_file) {
  const FileEntry users = said_by_user(proposer, said, files.user.common);
  FileEntry entry = below(users, files.project.common);
  override_numbers(entry, said);
  HONE_TRY(ModelSettings model, settle_model(entry, environment, files.where()));
  model.named_by_project =
      needs_yes(model, {.proposer = by_build || by_file,
                        .build_command = by_build,
                        .endpoint = entry.endpoint && !users.endpoint,
                        .key = adds_key(entry, users),
                        .plain_http = entry.allow_plain_http.value_or(false) && !users.allow_plain_http});
  return model;
}

Result<std::vector<ModelSettings>> settle_ensemble(const Overrides& said, const Files& files,
                                                   const Environment& environment) {
  const bool users = !files.user.ensemble.empty();
  const SettingsFile& file = users ? files.user : files.project;
  const std::string& where = users ? files.user_where : files.project_where;
  if (file.ensemble.empty())
    return coded_failure(DiagnosticCode::model_unnamed, "hone.json lists no \"ensemble\"", where);
  if (said.endpoint || said.model || said.key_env) {
    return coded_failure(DiagnosticCode::model_settings, "an ensemble names its own endpoints and models", where,
                         "leave out --endpoint, --model, HONE_ENDPOINT and HONE_MODEL, or name another proposer");
  }
  std::vector<ModelSettings> models;
  for (const FileEntry& listed : file.ensemble) {
    FileEntry entry = inherit(listed, file.common);
    override_numbers(entry, said);
    HONE_TRY(ModelSettings model, settle_model(entry, environment, where));
    model.named_by_project = !users && needs_yes(model, {.proposer = true,
                                                         .endpoint = entry.endpoint.has_value(),
                                                         .key = adds_key(entry, {}),
                                                         .plain_http = entry.allow_plain_http.value_or(false)});
    models.push_back(std::move(model));
  }
  return models;
}

Result<SettingsText> read_settings(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return SettingsText{"", path.string()};
  HONE_TRY(std::string text, os::read_file(path, largest_settings_file));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return coded_failure(DiagnosticCode::model_settings, "the file is empty", path.string());
  return SettingsText{std::move(text), path.string()};
}

Result<void> look_up_prices(Settings& settings) {
  for (ModelSettings& model : settings.models)
    if (!model.price_table.empty()) {
      HONE_TRY(model.price, price_in(model.price_table, model));
    }
  return {};
}

}  // namespace

Result<Settings> settle(const Overrides& command_line, const Environment& environment, const SettingsText& project,
                        const SettingsText& user) {
  Overrides over_environment = command_line;
  prefer(over_environment.proposer, command_line.project_proposer);
  HONE_TRY(const Overrides said, with_environment(over_environment, environment));
  Files files{{}, {}, user.where, project.where};
  HONE_TRY(files.user, read(user));
  HONE_TRY(files.project, read(project));

  if (files.project.examples == Examples::all)
    return coded_failure(DiagnosticCode::model_settings, "\"examples\": \"all\" sends what other projects hold",
                         files.project_where, "write it into your own hone.json, for all your projects");
  Settings settings;
  settings.examples = files.user.examples.value_or(Examples::project);
  if (files.project.examples) settings.examples = Examples::project;
  settings.proposer = said.proposer.value_or(files.proposer());
  if (needs_no_model(settings.proposer)) return settings;
  if (settings.proposer == "ensemble") {
    HONE_TRY(settings.models, settle_ensemble(said, files, environment));
    return settings;
  }
  const bool by_build = !command_line.proposer && command_line.project_proposer;
  const bool by_file = !said.proposer && !files.user_names();
  HONE_TRY(ModelSettings model, settle_one(settings.proposer, said, files, environment, by_build, by_file));
  settings.models.push_back(std::move(model));
  return settings;
}

Result<Settings> settle_in(const std::filesystem::path& folder, const Overrides& command_line,
                           const Environment& environment) {
  HONE_TRY(const SettingsText project, read_settings(folder / "hone.json"));
  SettingsText user;
  if (const auto own = user_folder(environment)) {
    HONE_TRY(user, read_settings(*own / "hone.json"));
  }
  HONE_TRY(Settings settings, settle(command_line, environment, project, user));
  HONE_CHECK(look_up_prices(settings));
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
  const char* const others =
      settings.examples == Examples::all ? ", and kernels of other projects that were tuned here," : "";
  return fmt::format("sends the source of annotated kernels and what it reaches{} to {}", others,
                     fmt::join(places, " and "));
}

}  // namespace hone::llm
