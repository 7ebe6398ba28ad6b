#include "tool/tune/settings.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "tool/os/files.h"

namespace hone::tune {
namespace {

Result<search::Strategy> strategy_named(const std::string& name) {
  if (name.empty() || name == "auto") return search::preset("builtin");
  if (!name.ends_with(".json")) return search::preset(name);
  HONE_TRY(const std::string text, os::read_file(name));
  auto strategy = search::parse_strategy(text);
  if (!strategy) strategy.error().where = name + ": " + strategy.error().where;
  return strategy;
}

}  // namespace

Result<Settings> settle(const TuneOptions& options, const TargetSettings& target) {
  Settings settings;
  settings.proposer = options.proposer.empty() ? target.proposer : options.proposer;
  if (settings.proposer != "builtin")
    return failure(fmt::format("there is no proposer '{}'", settings.proposer), "", "choose one of builtin");
  HONE_TRY(settings.strategy, strategy_named(options.strategy.empty() ? target.strategy : options.strategy));
  settings.trials = options.trials.value_or(target.trials);
  if (options.budget_seconds) {
    settings.budget_seconds = *options.budget_seconds;
  } else {
    HONE_TRY(settings.budget_seconds, parse_duration(target.budget));
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
      return failure(fmt::format("'{}' is not a time", text), "", "write 90s, 10m or 1h30m");
    total += number * scale;
  } while (at < text.size());
  if (total <= 0) return failure(fmt::format("'{}' is no time at all", text), "", "write 90s, 10m or 1h30m");
  return total;
}

Result<void> check(const TuneOptions& options) {
  HONE_CHECK(settle(options, {}));
  return {};
}

}  // namespace hone::tune
