#include "tool/project/settings.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "tool/base/printable.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"
#include "tool/project/knowledge_files.h"
#include "tool/search/presets.h"

namespace hone::project {
namespace {

struct Named {
  search::Strategy strategy;
  std::string text;
};

Result<Named> preset_named(const std::string& name) {
  HONE_TRY(auto strategy, search::preset(name));
  for (const search::Preset& preset : search::presets())
    if (preset.name == name) return Named{std::move(strategy), std::string(preset.text)};
  return Named{std::move(strategy), "{}"};
}

Result<Named> strategy_named(const std::string& name, bool asks_model) {
  if (name.empty() || name == "auto") return preset_named(asks_model ? "auto" : "builtin");
  if (!name.ends_with(".json")) return preset_named(name);
  HONE_TRY(std::string text, os::read_file(name));
  auto strategy = search::parse_strategy(text);
  if (!strategy) {
    strategy.error().where = name + ": " + strategy.error().where;
    return tl::unexpected(strategy.error());
  }
  return Named{std::move(*strategy), std::move(text)};
}

// The proposer that CMake names counts as the project's own word; "builtin" there is the default, which environment and
// hone.json may replace.
Result<llm::Settings> models_for(const TuneOptions& options, const TargetSettings& target) {
  llm::Overrides overrides = options.model;
  if (!options.proposer.empty())
    overrides.proposer = options.proposer;
  else if (target.proposer != "builtin" && !target.proposer.empty())
    overrides.project_proposer = target.proposer;
  return llm::settle_in(target.lock.parent_path(), overrides, llm::own_environment());
}

constexpr std::string_view replay_prefix = "replay:";

Result<void> check_pair(const search::Strategy& strategy, bool asks_model) {
  if (asks_model == (strategy.proposer == "model")) return {};
  if (asks_model)
    return coded_failure(DiagnosticCode::bad_strategy,
                         fmt::format("the strategy '{}' is the built-in proposer's", strategy.name), "",
                         "choose one for language models, like auto, free or full");
  return coded_failure(DiagnosticCode::bad_strategy,
                       fmt::format("the strategy '{}' needs a language model", strategy.name), "",
                       "name one with --proposer (openai, anthropic or command:ARGV), or use the strategy builtin");
}

Result<void> choose_strategy(Settings& settings, const TuneOptions& options, const TargetSettings& target,
                             bool asks_model) {
  HONE_TRY(auto named, strategy_named(options.strategy.empty() ? target.strategy : options.strategy, asks_model));
  HONE_CHECK(check_pair(named.strategy, asks_model));
  settings.strategy = std::move(named.strategy);
  settings.strategy_text = std::move(named.text);
  return {};
}

// A cap that counts nothing would be none.
Result<void> check_cost_cap(const TuneOptions& options, const llm::Settings& models) {
  for (const llm::ModelSettings& model : options.most_cost ? models.models : std::vector<llm::ModelSettings>{})
    if (!model.price)
      return coded_failure(
          DiagnosticCode::model_price,
          fmt::format("--max-cost {:g} caps nothing: no price is known{}", *options.most_cost,
                      model.model.empty() ? "" : " of the model " + printable_line(model.model)),
          "",
          "give --price-input and --price-output, \"price\" or \"prices\" in hone.json, or --max-tokens in its place");
  return {};
}

Result<void> take_users_own(Settings& settings, const TargetSettings& target) {
  HONE_TRY(settings.notes, notes_for(target.lock));
  HONE_TRY(settings.templates, templates_for(target.lock));
  return {};
}

}  // namespace

Result<Settings> settle_for_prompts(const TuneOptions& options, const TargetSettings& target) {
  Settings settings;
  HONE_TRY(settings.models, models_for(options, target));
  settings.proposer = settings.models.proposer;
  HONE_CHECK(choose_strategy(settings, options, target, true));
  HONE_CHECK(take_users_own(settings, target));
  return settings;
}

Result<Settings> settle(const TuneOptions& options, const TargetSettings& target) {
  Settings settings;
  HONE_TRY(settings.models, models_for(options, target));
  settings.proposer = settings.models.proposer;
  const bool asks_model = !settings.models.models.empty();
  HONE_CHECK(check_cost_cap(options, settings.models));
  if (settings.proposer.starts_with(replay_prefix)) settings.replayed = settings.proposer.substr(replay_prefix.size());
  // A recording brings its own.
  if (!settings.replayed) HONE_CHECK(choose_strategy(settings, options, target, asks_model));
  if (asks_model || settings.replayed) HONE_CHECK(take_users_own(settings, target));
  settings.trials = options.trials.value_or(target.trials);
  if (options.budget_seconds) {
    settings.budget_seconds = *options.budget_seconds;
  } else if (!target.budget.empty()) {
    HONE_TRY(settings.budget_seconds, parse_duration(target.budget));
  } else if (options.total_seconds) {
    settings.budget_seconds = *options.total_seconds;
  }
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 2u);
  settings.jobs = options.jobs ? options.jobs : cores - 1;  // one core is the judge's
  return settings;
}

Result<double> parse_duration(const std::string& text) {
  double total = 0;
  std::size_t at = 0;
  do {
    std::size_t length = 0;
    double number = -1;
    try {
      number = std::stod(text.substr(at), &length);
    } catch (const std::exception&) {
    }
    at += length;
    const char unit = at < text.size() ? text[at++] : 's';
    const double scale = unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 3600 : 0;
    if (!(number >= 0) || !std::isfinite(number) || scale == 0 || length == 0)
      return coded_failure(DiagnosticCode::bad_budget, fmt::format("'{}' is not a time", text), "",
                           "write 90s, 10m or 1h30m");
    total += number * scale;
  } while (at < text.size());
  if (total <= 0)
    return coded_failure(DiagnosticCode::bad_budget, fmt::format("'{}' is no time at all", text), "",
                         "write 90s, 10m or 1h30m");
  return total;
}

Result<double> parse_total(const std::string& text) {
  HONE_TRY(const double seconds, parse_duration(text));
  if (seconds < finals_seconds)
    return coded_failure(DiagnosticCode::bad_budget,
                         fmt::format("--budget-total {} is less than measuring one winner afresh may take ({:g} s)",
                                     text, finals_seconds),
                         "", "give at least that much for each kernel that may gain");
  return seconds;
}

Result<void> check(const TuneOptions& options, const TargetSettings& target) {
  HONE_CHECK(settle(options, target));
  return {};
}

}  // namespace hone::project
