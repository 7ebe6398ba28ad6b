#include "tool/tune/model/recording.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/bundle/bundle.h"
#include "tool/bundle/strict_json.h"
#include "tool/os/files/files.h"
#include "tool/tune/facts/facts_json.h"

namespace hone::tune {
namespace {

using bundle::whole;
using nlohmann::json;

constexpr unsigned most_models = 1000;  // a search has a place for each: a changed file must not ask for billions

std::string text_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class Integer>
Integer whole_or(const json& from, const char* name, Integer otherwise) {
  const auto found = from.find(name);
  return found == from.end() ? otherwise : whole<Integer>(*found);
}

json verdict_json(const Verdict& verdict) {
  return json::parse(bundle::serialize(verdict), nullptr, false);
}

Verdict verdict_from(const json& from) {
  auto verdict = bundle::parse_verdict(from.dump());
  if (!verdict) throw std::invalid_argument(verdict.error().what);
  return std::move(*verdict);
}

json usage_json(const llm::Usage& usage) {
  return {{"input", usage.input_tokens},
          {"output", usage.output_tokens},
          {"cost", usage.cost},
          {"estimated", usage.estimated},
          {"cached", usage.cached_tokens}};
}

llm::Usage usage_from(const json& from) {
  llm::Usage usage;
  usage.input_tokens = whole_or<std::uint64_t>(from, "input", 0);
  usage.output_tokens = whole_or<std::uint64_t>(from, "output", 0);
  usage.cost = from.value("cost", 0.0);
  usage.estimated = from.value("estimated", false);
  usage.cached_tokens = whole_or<std::uint64_t>(from, "cached", 0);
  return usage;
}

json pair_json(const search::VerifiedPair& pair) {
  return {{"kernel", pair.kernel}, {"key", pair.key},         {"language", pair.language}, {"original", pair.original},
          {"winner", pair.winner}, {"thought", pair.thought}, {"gain", pair.gain}};
}

search::VerifiedPair pair_from(const json& from) {
  return {from.at("kernel").get<std::string>(), from.value("key", ""),
          from.value("language", ""),           from.at("original").get<std::string>(),
          from.at("winner").get<std::string>(), from.value("thought", ""),
          from.at("gain").get<double>()};
}

json header_json(const RecordingHeader& header) {
  json seeds = json::array();
  for (const auto& seed : header.seeds)
    seeds.push_back({{"name", seed.candidate.name},
                     {"thought", seed.candidate.thought},
                     {"source", seed.candidate.source},
                     {"verdict", verdict_json(without_samples(seed.verdict))}});
  json document{{"recording", 1},
                {"kernel", header.kernel},
                {"key", header.key},
                {"seed", header.seed},
                {"strategy", json::parse(header.strategy, nullptr, false)},
                {"written_by", header.written_by},
                {"models", header.models},
                {"memory", header.memory},
                {"facts", facts_json(header.facts)},
                {"seeds", std::move(seeds)}};
  for (const search::VerifiedPair& pair : header.pairs) document["pairs"].push_back(pair_json(pair));
  return document;
}

RecordingHeader header_from(const json& from) {
  if (from.at("recording") != 1) throw std::invalid_argument("another version's recording");
  RecordingHeader header;
  header.kernel = from.at("kernel").get<std::string>();
  header.key = from.at("key").get<std::string>();
  header.seed = whole<std::uint64_t>(from.at("seed"));
  header.strategy = from.at("strategy").dump();
  header.written_by = from.value("written_by", "");
  header.models = whole_or(from, "models", 1u);
  if (header.models > most_models) throw std::invalid_argument("more models than an ensemble has");
  header.memory = from.value("memory", "");
  header.facts = facts_from(from.at("facts"));
  if (from.contains("pairs"))
    for (const json& pair : bundle::list(from["pairs"])) header.pairs.push_back(pair_from(pair));
  for (const json& seed : bundle::list(from.at("seeds"))) {
    search::Start::Known known;
    known.candidate.name = seed.value("name", "");
    known.candidate.thought = seed.value("thought", "");
    known.candidate.source = seed.at("source").get<std::string>();
    known.verdict = verdict_from(seed.at("verdict"));
    header.seeds.push_back(std::move(known));
  }
  return header;
}

json prompt_json(const std::vector<search::PromptMessage>& messages) {
  json prompt = json::array();
  for (const auto& message : messages) prompt.push_back({{"role", message.role}, {"text", message.text}});
  return prompt;
}

std::vector<search::PromptMessage> prompt_from(const json& from) {
  std::vector<search::PromptMessage> messages;
  for (const json& message : bundle::list(from))
    messages.push_back({message.at("role").get<std::string>(), message.at("text").get<std::string>()});
  return messages;
}

struct ToJson {
  json operator()(const Asked& event) const {
    json line{{"ask", event.request},
              {"operator", event.operator_name},
              {"model", event.model},
              {"digest", event.digest},
              {"prompt", prompt_json(event.prompt)}};
    if (event.advised_by) line["advised_by"] = *event.advised_by;
    return line;
  }
  json operator()(const Sent& event) const { return {{"sent", event.request}, {"most", usage_json(event.most)}}; }
  json operator()(const Replied& event) const {
    return {{"reply", event.request},
            {"text", event.text},
            {"model", event.model},
            {"seconds", event.seconds},
            {"usage", usage_json(event.usage)}};
  }
  json operator()(const CallFailed& event) const {
    return {
        {"failure", event.request}, {"what", event.what}, {"again", event.again}, {"usage", usage_json(event.usage)}};
  }
  json operator()(const OpinionAsked& event) const {
    return {{"opinion", event.request}, {"digest", event.digest}, {"prompt", prompt_json(event.prompt)}};
  }
  json operator()(const Opined& event) const {
    if (event.text.empty())
      return {
          {"opined", event.request}, {"what", event.what}, {"again", event.again}, {"usage", usage_json(event.usage)}};
    return {{"opined", event.request},
            {"text", event.text},
            {"model", event.model},
            {"seconds", event.seconds},
            {"usage", usage_json(event.usage)}};
  }
  json operator()(const ToldTrial& event) const {
    json line{{"told", event.request},
              {"as", "trial"},
              {"fingerprint", event.fingerprint},
              {"name", event.name},
              {"verdict", verdict_json(without_samples(event.verdict))}};
    if (!event.choice.empty()) line["choice"] = event.choice;
    if (!event.profile.empty()) line["profile"] = event.profile;
    if (event.duplicate_of) line["duplicate_of"] = *event.duplicate_of;
    return line;
  }
  json operator()(const ToldAdvice& event) const {
    return {{"told", event.request}, {"as", "advice"}, {"text", event.text}, {"ok", event.ok}};
  }
  json operator()(const ToldFailed& event) const { return {{"told", event.request}, {"as", "failed"}}; }
  json operator()(const Remembered&) const { return {{"remembered", true}}; }
};

Event told_from(const json& from) {
  const auto request = whole<unsigned>(from.at("told"));
  const std::string as = from.at("as").get<std::string>();
  if (as == "failed") return ToldFailed{request};
  if (as == "advice") return ToldAdvice{request, from.at("text").get<std::string>(), from.at("ok").get<bool>()};
  ToldTrial told;
  told.request = request;
  told.fingerprint = from.at("fingerprint").get<std::string>();
  told.name = from.at("name").get<std::string>();
  if (from.contains("choice")) told.choice = bundle::whole_list<std::size_t>(from["choice"]);
  told.profile = from.value("profile", "");
  if (from.contains("duplicate_of")) told.duplicate_of = whole<unsigned>(from["duplicate_of"]);
  told.verdict = verdict_from(from.at("verdict"));
  return told;
}

Event event_from(const json& from) {
  if (from.contains("ask")) {
    Asked asked{whole<unsigned>(from["ask"]), from.value("operator", ""), whole_or(from, "model", 0u),
                from.value("digest", ""), prompt_from(from.at("prompt"))};
    if (from.contains("advised_by")) asked.advised_by = from["advised_by"].get<unsigned>();
    return asked;
  }
  if (from.contains("sent")) return Sent{whole<unsigned>(from["sent"]), usage_from(from.value("most", json::object()))};
  if (from.contains("remembered")) return Remembered{};
  if (from.contains("opinion"))
    return OpinionAsked{whole<unsigned>(from["opinion"]), from.value("digest", ""), prompt_from(from.at("prompt"))};
  if (from.contains("opined"))
    return Opined{whole<unsigned>(from["opined"]),
                  from.value("text", ""),
                  from.value("model", ""),
                  from.value("seconds", 0.0),
                  usage_from(from.value("usage", json::object())),
                  from.value("what", ""),
                  from.value("again", false)};
  if (from.contains("reply"))
    return Replied{whole<unsigned>(from["reply"]), from.at("text").get<std::string>(), from.value("model", ""),
                   from.value("seconds", 0.0), usage_from(from.value("usage", json::object()))};
  if (from.contains("failure"))
    return CallFailed{whole<unsigned>(from["failure"]), from.value("what", ""),
                      usage_from(from.value("usage", json::object())), from.value("again", false)};
  return told_from(from);
}

}  // namespace

bool RecordingHeader::operator==(const RecordingHeader& other) const {
  return header_json(*this) == header_json(other);
}

std::string line_of(const RecordingHeader& header) {
  return text_of(header_json(header));
}

std::string line_of(const Event& event) {
  return text_of(std::visit(ToJson{}, event));
}

Result<Recording> Recording::read(const std::filesystem::path& file) {
  HONE_TRY(const std::string text, os::read_file(file));
  return parse(text, file.string());
}

Result<Recording> Recording::parse(std::string_view text, const std::string& where) {
  Recording recording;
  bool first = true;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    try {
      const json line = bundle::parse_strictly(text.substr(at, end - at));
      if (first)
        recording.header = header_from(line);
      else
        recording.events.push_back(event_from(line));
    } catch (const std::exception&) {  // torn, or not one of ours
      if (first)
        return failure("this is no recording of a search", where + ":1",
                       "name the .calls.jsonl file of a run with a language model");
    }
    first = false;
  }
  if (first) return failure("the recording is empty", where);
  return recording;
}

Result<Recorder> Recorder::create(const std::filesystem::path& file, const RecordingHeader& header) {
  HONE_CHECK(os::write_file_atomically(file, line_of(header) + '\n'));
  return Recorder(file);
}

Result<void> Recorder::append(const Event& event) {
  return os::append_durably(file_, line_of(event));
}

std::string digest_of(const std::vector<search::PromptMessage>& prompt) {
  std::string text;
  for (const auto& message : prompt)
    text += fmt::format("{} {}\n{}{}", message.role.size(), message.text.size(), message.role, message.text);
  return cache::sha256(text);
}

}  // namespace hone::tune
