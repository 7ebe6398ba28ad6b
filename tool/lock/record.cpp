#include "tool/lock/record.h"

#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tool/bundle/bundle.h"
#include "tool/model/speedup_json.h"
#include "tool/report/text.h"

namespace hone::lock {
namespace {

using json = nlohmann::ordered_json;

constexpr int version = 1;

// A float where a count belongs would be converted, with luck.
template <class T>
T whole(const json& number) {
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() > std::numeric_limits<T>::max())
    throw std::range_error("a count is no whole number");
  return number.get<T>();
}

std::vector<unsigned> wholes(const json& list) {
  std::vector<unsigned> numbers;
  for (const json& number : list) numbers.push_back(whole<unsigned>(number));
  return numbers;
}

Speedup speedup_of(const json& object) {
  return {object.at("median").get<double>(), object.at("low").get<double>(), object.at("high").get<double>()};
}

json or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

std::string text_or_nothing(const json& document, const char* member) {
  const auto found = document.find(member);
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

json to_object(const Ancestor& ancestor) {
  return {{"trial", ancestor.trial},
          {"operator", ancestor.operator_name},
          {"name", ancestor.name},
          {"parents", ancestor.parents},
          {"speedup", speedup_json<json>(ancestor.speedup)},
          {"source", ancestor.source},
          {"not_accepted", or_null(ancestor.not_accepted)}};
}

Ancestor ancestor_of(const json& object) {
  return {whole<unsigned>(object.at("trial")),    object.at("operator").get<std::string>(),
          object.at("name").get<std::string>(),   wholes(object.at("parents")),
          speedup_of(object.at("speedup")),       object.at("source").get<std::string>(),
          text_or_nothing(object, "not_accepted")};
}

json to_object(const std::optional<Verdict>& verdict) {
  return verdict ? json::parse(bundle::serialize(*verdict), nullptr, false) : json(nullptr);
}

std::optional<Verdict> verdict_of(const json& object) {
  if (object.is_null()) return std::nullopt;
  auto verdict = bundle::parse_verdict(object.dump());
  if (!verdict) return std::nullopt;
  return std::move(*verdict);
}

json to_object(const KeptChange& kept) {
  return {{"change", kept.change},
          {"what", kept.what},
          {"gain", kept.gain ? speedup_json<json>(*kept.gain) : json(nullptr)},
          {"without", kept.without}};
}

json to_object(const Reduction& reduction) {
  json kept = json::array();
  for (const KeptChange& change : reduction.kept) kept.push_back(to_object(change));
  return {{"lines_original", reduction.lines_original},
          {"lines_found", reduction.lines_found},
          {"lines", reduction.lines},
          {"complete", reduction.complete},
          {"left_out", reduction.left_out},
          {"kept", std::move(kept)}};
}

Reduction reduction_of(const json& object) {
  Reduction reduction;
  reduction.lines_original = whole<unsigned>(object.at("lines_original"));
  reduction.lines_found = whole<unsigned>(object.at("lines_found"));
  reduction.lines = whole<unsigned>(object.at("lines"));
  reduction.complete = object.at("complete").get<bool>();
  reduction.left_out = object.at("left_out").get<std::vector<std::string>>();
  for (const json& kept : object.at("kept")) {
    KeptChange& change = reduction.kept.emplace_back();
    change.change = kept.at("change").get<std::string>();
    change.what = kept.at("what").get<std::string>();
    if (!kept.at("gain").is_null()) change.gain = speedup_of(kept.at("gain"));
    change.without = kept.at("without").get<std::string>();
  }
  return reduction;
}

Record record_of(const json& document) {
  Record record;
  record.key = text_or_nothing(document, "key");
  record.kernel = document.at("kernel").get<std::string>();
  record.signature = document.at("signature").get<std::string>();
  record.target = document.at("target").get<std::string>();
  if (!document.at("variant").is_null()) record.variant = document.at("variant").get<std::string>();
  record.key_parts = text_or_nothing(document, "key_parts");
  record.name = document.at("name").get<std::string>();
  record.thought = document.at("thought").get<std::string>();
  record.speedup = speedup_of(document.at("speedup"));
  record.evidence = document.at("evidence").get<std::string>();
  record.proposer = document.at("proposer").get<std::string>();
  record.model = text_or_nothing(document, "model");
  record.prompt = text_or_nothing(document, "prompt");
  record.reply = text_or_nothing(document, "reply");
  record.strategy = document.at("strategy").get<std::string>();
  record.compiler = document.at("compiler").get<std::string>();
  record.device = document.at("device").get<std::string>();
  record.executor = document.at("executor").get<std::string>();
  record.measured_on = text_or_nothing(document, "measured_on");
  if (const auto found = document.find("signed"); found != document.end() && found->is_object())
    record.signed_by = text_or_nothing(*found, "by");
  record.seed = whole<std::uint64_t>(document.at("seed"));
  const json& trials = document.at("trials");
  record.trials = {whole<unsigned>(trials.at("total")), whole<unsigned>(trials.at("compiled")),
                   whole<unsigned>(trials.at("right")), whole<unsigned>(trials.at("faster"))};
  record.unfinished = document.value("unfinished", json(false)) == json(true);
  record.seconds = document.at("seconds").get<double>();
  if (const auto found = document.find("reduction"); found != document.end() && found->is_object())
    record.reduction = reduction_of(*found);
  for (const json& ancestor : document.at("lineage")) record.lineage.push_back(ancestor_of(ancestor));
  record.search = verdict_of(document.at("verdicts").at("search"));
  record.final = verdict_of(document.at("verdicts").at("final"));
  return record;
}

std::string why_not_accepted(const Verdict& verdict) {
  if (!verdict.right) return "wrong";
  return verdict.faster ? "" : report::why_not_accepted(verdict);
}

// "command:ssh ada@gpu1 hone-worker -" names a user and a machine, "replay:/home/ada/run.jsonl" a path: only what kind
// of executor or proposer it was is anybody's.
std::string kind_of(const std::string& named) {
  return named.substr(0, named.find(':'));
}

}  // namespace

std::vector<Ancestor> lineage(const std::vector<search::Trial>& trials, unsigned trial) {
  std::set<unsigned> reached{trial}, open{trial};
  while (!open.empty()) {
    const unsigned at = *open.begin();
    open.erase(open.begin());
    for (const unsigned parent : trials[at].candidate.parents)
      if (reached.insert(parent).second) open.insert(parent);
  }
  reached.erase(0);  // the original is everybody's
  std::vector<Ancestor> ancestors;
  for (const unsigned number : reached) {
    const search::Trial& one = trials[number];
    ancestors.push_back({number, one.candidate.operator_name, one.candidate.name, one.candidate.parents,
                         one.verdict.measurement.speedup, cache::sha256(one.candidate.source),
                         why_not_accepted(one.verdict)});
  }
  return ancestors;
}

std::string to_json(const Record& record) {
  json lineage = json::array();
  for (const Ancestor& ancestor : record.lineage) lineage.push_back(to_object(ancestor));
  json document{{"record", version},
                {"key", or_null(record.key)},
                {"kernel", record.kernel},
                {"signature", record.signature},
                {"target", record.target},
                {"variant", record.variant ? json(*record.variant) : json(nullptr)},
                {"name", record.name},
                {"thought", record.thought},
                {"speedup", speedup_json<json>(record.speedup)},
                {"evidence", record.evidence},
                {"proposer", kind_of(record.proposer)},
                {"model", or_null(record.model)},
                {"prompt", or_null(record.prompt)},
                {"reply", or_null(record.reply)},
                {"seed", record.seed},
                {"strategy", record.strategy},
                {"compiler", record.compiler},
                {"device", record.device},
                {"executor", kind_of(record.executor)},
                {"measured_on", or_null(record.measured_on)},
                {"trials",
                 {{"total", record.trials.total},
                  {"compiled", record.trials.compiled},
                  {"right", record.trials.right},
                  {"faster", record.trials.faster}}},
                {"unfinished", record.unfinished},
                {"seconds", record.seconds},
                {"lineage", std::move(lineage)},
                {"verdicts", {{"search", to_object(record.search)}, {"final", to_object(record.final)}}}};
  if (!record.key_parts.empty()) document["key_parts"] = record.key_parts;
  if (record.reduction) document["reduction"] = to_object(*record.reduction);
  return document.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

Result<Record> parse_record(const std::string& text) {
  try {
    const json document = json::parse(text);
    if (document.at("record") != version) return failure("the record is of another version of Hone");
    return record_of(document);
  } catch (const std::exception& error) {
    return failure("the record is not whole", "", error.what());
  }
}

std::string verified_on(const KernelSpec& spec, const std::string& architecture) {
  if (!spec.cuda) return "cpu";
  return architecture.empty() ? spec.target : spec.target + " on " + architecture;
}

std::string evidence(const Verdict& verdict, const KernelSpec& spec, const std::string& compiler) {
  std::size_t pairs = 0;
  for (const ProblemMeasurement& problem : verdict.measurement.problems) pairs += problem.reference_samples.size();
  return fmt::format("{}: {}, {} pairs", verified_on(spec, verdict.architecture), compiler, pairs);
}

}  // namespace hone::lock
