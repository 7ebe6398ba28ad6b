// hone.json beside the lock file: what is taken can be acted upon, what is not is told with its line.
#include "tool/llm/settings/model_settings.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/fuzz/fuzz.h"
#include "tool/os/http/url.h"

namespace {

using namespace hone::llm;
using hone::fuzz::require;

void check(const hone::Error& error, std::string_view text) {
  require(!error.what.empty(), "a refusal says why");
  hone::fuzz::require_printable(error.message(), "no text of a file is obeyed");
  require(error.where.starts_with("hone.json"), "a refusal names the file");
  if (!error.where.starts_with("hone.json:")) return;
  const auto line = std::stol(error.where.substr(10));
  require(line >= 1 && line <= 1 + std::count(text.begin(), text.end(), '\n'), "the line is one of the file's");
}

void check(const ModelSettings& model) {
  using namespace std::chrono_literals;
  require(model.timeout >= 1ms && model.timeout <= 24h && model.connect_timeout >= 1ms && model.connect_timeout <= 24h,
          "no call waits for ever, or not at all");
  require(model.attempts >= 1 && model.attempts <= 100 && model.concurrency >= 1 && model.concurrency <= 1000,
          "calls are counted");
  require(model.max_tokens >= 1 && model.reply_bytes >= 1 && model.reply_bytes <= 1u << 30, "a reply has bounds");
  require(std::isfinite(model.weight) && model.weight > 0, "a weight is a share");
  const Price price = model.price.value_or(Price{});
  require(price.input >= 0 && price.output >= 0 && price.input <= 1e6 && price.output <= 1e6,
          "nobody pays for a call to be made");
  if (model.provider == Provider::command) return require(!model.command.empty(), "a command is a program");
  require(hone::os::parse_url(model.endpoint).has_value(), "an endpoint can be called");
  require(!model.model.empty(), "a model has a name");
  if (!model.extra.empty()) require(nlohmann::json::parse(model.extra).is_object(), "what is added is an object");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hone::fuzz::text_of(data, size);
  if (text.empty()) return 0;
  const auto settings = settle({}, {}, {std::string(text), "hone.json"});
  if (!settings) {
    check(settings.error(), text);
    return 0;
  }
  for (const ModelSettings& model : settings->models) check(model);
  const std::string described = describe(*settings);
  hone::fuzz::require_printable(described, "no text of a file is obeyed");
  require(described.empty() == settings->models.empty(), "a run that sends something says so");
  require(settle({}, {}, {std::string(text), "hone.json"}).value() == *settings, "the same file is the same settings");
  require(settle({.proposer = "builtin"}, {}, {std::string(text), "hone.json"}).value().models.empty(),
          "who asks for no model gets none");
  return 0;
}
