#include "tool/tune/training/training_text.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tool/command/words.h"
#include "tool/model/speedup_json.h"
#include "tool/tune/training/exchange.h"

namespace hone::tune {
namespace {

using json = nlohmann::ordered_json;

struct Line {
  const RecordingHeader& run;
  std::string strategy;
  Exchange exchange;
};

json message(const std::string& role, const std::string& content) {
  return {{"role", role}, {"content", content}};
}

json prompt_of(const Exchange& exchange) {
  json messages = json::array();
  for (const search::PromptMessage& one : exchange.prompt) messages.push_back(message(one.role, one.text));
  return messages;
}

json answer_of(const Exchange& exchange) {
  return json::array({message("assistant", exchange.reply)});
}

json speedup_of(const Verdict& verdict) {
  const bool timed = !verdict.measurement.problems.empty();
  const Speedup speedup = timed ? verdict.measurement.speedup : Speedup{0, 0, 0};
  return speedup_json<json>(speedup);
}

json verdict_of(const Verdict& verdict) {
  return {{"stage", to_string(verdict.stage)},
          {"right", verdict.right},
          {"faster", verdict.faster},
          {"reason", verdict.reason},
          {"detail", verdict.detail},
          {"speedup", speedup_of(verdict)},
          {"tolerance_used", verdict.tolerance_used}};
}

// Providers name their model. A command is known by its program: its arguments are nobody's business.
std::string model_of(const Line& line) {
  if (!line.exchange.model.empty()) return line.exchange.model;
  constexpr std::string_view command = "command:";
  const std::string& by = line.run.written_by;
  if (!by.starts_with(command)) return by;
  const auto words = split_words(std::string_view(by).substr(command.size()));
  return words && !words->empty() ? std::filesystem::path(words->front()).filename().string() : "command";
}

void add_origin(json& to, const Line& line) {
  to["kernel"] = line.run.kernel;
  to["key"] = line.run.key;
  to["strategy"] = line.strategy;
  to["operator"] = line.exchange.operator_name;
}

json single(const Line& line, TrainingFormat format) {
  const Exchange& exchange = line.exchange;
  json object;
  if (format == TrainingFormat::chat) {
    object["messages"] = prompt_of(exchange);
    object["messages"].push_back(message("assistant", exchange.reply));
  } else {
    object["prompt"] = prompt_of(exchange);
    object["completion"] = answer_of(exchange);
  }
  object["reward"] = exchange.reward;
  object["verdict"] = verdict_of(exchange.verdict);
  add_origin(object, line);
  object["kind"] = exchange.kind == search::RequestKind::advice ? "advice" : "candidate";
  object["name"] = exchange.name;
  object["model"] = model_of(line);
  object["seed"] = line.run.seed;
  object["call"] = exchange.request;
  object["duplicate"] = exchange.duplicate;
  object["usage"] = {{"input_tokens", exchange.usage.input_tokens}, {"output_tokens", exchange.usage.output_tokens}};
  return object;
}

bool beats(const Verdict& one, const Verdict& other) {
  if (!one.right) return false;
  if (!other.right) return true;
  if (!one.faster || !other.faster) return one.faster && !other.faster;
  return one.measurement.speedup.low > other.measurement.speedup.high;
}

json preference(const Line& chosen, const Line& rejected) {
  json object{{"prompt", prompt_of(chosen.exchange)},
              {"chosen", answer_of(chosen.exchange)},
              {"rejected", answer_of(rejected.exchange)},
              {"score_chosen", chosen.exchange.reward},
              {"score_rejected", rejected.exchange.reward}};
  add_origin(object, chosen);
  return object;
}

std::vector<json> preferences(const std::vector<Line>& lines, double least_reward) {
  std::map<std::string, std::vector<const Line*>> prompts;
  for (const Line& line : lines)
    if (line.exchange.kind == search::RequestKind::candidate) prompts[line.exchange.prompt_digest].push_back(&line);
  std::vector<json> objects;
  for (const auto& [digest, replies] : prompts) {
    const Line* best = replies.front();
    for (const Line* line : replies)
      if (line->exchange.reward > best->exchange.reward) best = line;
    if (best->exchange.reward < least_reward) continue;
    for (const Line* line : replies)
      if (beats(best->exchange.verdict, line->exchange.verdict)) objects.push_back(preference(*best, *line));
  }
  return objects;
}

}  // namespace

Result<TrainingFormat> parse_training_format(std::string_view name) {
  if (name == "chat") return TrainingFormat::chat;
  if (name == "prompt-completion") return TrainingFormat::prompt_completion;
  if (name == "preference") return TrainingFormat::preference;
  return failure(fmt::format("there is no format '{}'", name), "", "choose chat, prompt-completion or preference");
}

TrainingText training_text(const std::vector<Recording>& recordings, TrainingFormat format, double least_reward) {
  TrainingText all;
  std::vector<Line> lines;
  for (const Recording& recording : recordings) {
    const json strategy = json::parse(recording.header.strategy, nullptr, false);
    const std::string name = strategy.is_object() ? strategy.value("name", "") : "";
    Exchanges exchanges = exchanges_of(recording);
    all.unjudged += exchanges.unjudged;
    for (Exchange& exchange : exchanges.judged) lines.push_back({recording.header, name, std::move(exchange)});
  }
  std::vector<json> objects;
  if (format == TrainingFormat::preference) {
    objects = preferences(lines, least_reward);
  } else {
    for (const Line& line : lines)
      if (line.exchange.reward >= least_reward) objects.push_back(single(line, format));
  }
  for (const json& object : objects) all.text += object.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  all.lines = objects.size();
  return all;
}

}  // namespace hone::tune
