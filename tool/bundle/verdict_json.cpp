// verdict := JSON object with the members of Verdict by name, measurement and speedups as objects in it
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/base/machine_kind.h"
#include "tool/bundle/bundle.h"
#include "tool/bundle/strict_json.h"
#include "tool/command/cuda_architecture.h"
#include "tool/model/speedup_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

// What a person reads; a worker may be another's program.
constexpr std::size_t longest_text = 16'000, most_tried = 100;

// A number of either sign. JSON has no infinities: they come as null.
double real(const Json& json) {
  return json.is_null() ? 0 : json.get<double>();
}

Speedup read_speedup(const Json& json) {
  const Speedup speedup{finite(json.at("median")), finite(json.at("low")), finite(json.at("high"))};
  require(speedup.low <= speedup.median && speedup.median <= speedup.high, "an interval is not around its median");
  return speedup;
}

std::vector<double> read_samples(const Json& json) {
  std::vector<double> samples;
  for (const Json& item : list(json)) samples.push_back(finite(item));
  return samples;
}

Json write_measurement(const Measurement& measurement) {
  Json problems = Json::array();
  for (const ProblemMeasurement& problem : measurement.problems)
    problems.push_back({{"label", problem.label},
                        {"weight", problem.weight},
                        {"speedup", speedup_json<Json>(problem.speedup)},
                        {"reference_seconds", problem.reference_seconds},
                        {"candidate_seconds", problem.candidate_seconds},
                        {"reference_samples", problem.reference_samples},
                        {"candidate_samples", problem.candidate_samples},
                        {"bytes", problem.bytes},
                        {"common_error", problem.common_error}});
  return {{"speedup", speedup_json<Json>(measurement.speedup)},
          {"problems", std::move(problems)},
          {"seconds", measurement.seconds},
          {"noisy", measurement.noisy},
          {"decided", measurement.decided},
          {"clock", measurement.clock}};
}

Measurement read_measurement(const Json& json) {
  Measurement measurement;
  measurement.speedup = read_speedup(json.at("speedup"));
  for (const Json& item : list(json.at("problems"))) {
    ProblemMeasurement problem;
    problem.label = line(item.at("label"));
    problem.weight = finite(item.at("weight"));
    problem.speedup = read_speedup(item.at("speedup"));
    problem.reference_seconds = finite(item.at("reference_seconds"));
    problem.candidate_seconds = finite(item.at("candidate_seconds"));
    problem.reference_samples = read_samples(item.at("reference_samples"));
    problem.candidate_samples = read_samples(item.at("candidate_samples"));
    problem.bytes = finite(item.value("bytes", Json(0.0)));
    problem.common_error = finite(item.value("common_error", Json(0.0)));
    require(problem.reference_samples.size() == problem.candidate_samples.size(), "the samples are not in pairs");
    measurement.problems.push_back(std::move(problem));
  }
  measurement.seconds = finite(json.at("seconds"));
  measurement.noisy = json.at("noisy").get<bool>();
  measurement.decided = json.at("decided").get<bool>();
  measurement.clock = line(json.at("clock"));
  return measurement;
}

Json write_tried(const Tried& tried) {
  Json scalars = Json::array();
  for (const ScalarRange& range : tried.scalars)
    scalars.push_back({{"name", range.name}, {"from", range.from}, {"to", range.to}});
  return {{"cases", tried.cases},   {"scalars", std::move(scalars)}, {"values", tried.values},
          {"checks", tried.checks}, {"not_tried", tried.not_tried},  {"proof", tried.proof}};
}

std::vector<std::string> lines(const Json& json) {
  std::vector<std::string> lines;
  for (const Json& item : list(json)) lines.push_back(line(item));
  require(lines.size() <= most_tried, "it tells too much of what was tried");
  return lines;
}

Tried read_tried(const Json& json) {
  Tried tried;
  tried.cases = json.at("cases").get<std::uint64_t>();
  for (const Json& item : list(json.at("scalars")))
    tried.scalars.push_back({line(item.at("name")), real(item.at("from")), real(item.at("to"))});
  require(tried.scalars.size() <= most_tried, "it tells too much of what was tried");
  tried.values = lines(json.at("values"));
  tried.checks = lines(json.at("checks"));
  tried.not_tried = lines(json.at("not_tried"));
  tried.proof = line(json.at("proof"));
  return tried;
}

Stage read_stage(const Json& json) {
  const auto name = json.get<std::string>();
  for (Stage stage : {Stage::gate, Stage::compile, Stage::verify, Stage::time, Stage::done})
    if (name == to_string(stage)) return stage;
  throw std::range_error("the stage is unknown");
}

std::string read_architecture(const Json& json) {
  const std::string name = line(json);
  require(name.starts_with("sm_") && name == "sm_" + std::to_string(architecture_number(name)),
          "the architecture is no device's");
  return name;
}

// A name that is none of ours costs no verdict: nobody knows the kind then.
std::string read_machine(const Json& json) {
  const std::string kind = line(json);
  return is_machine_kind(kind) ? kind : "";
}

Verdict read_verdict(const Json& json) {
  Verdict verdict;
  verdict.stage = read_stage(json.at("stage"));
  verdict.right = json.at("right").get<bool>();
  verdict.faster = json.at("faster").get<bool>();
  verdict.reason = line(json.at("reason"));
  if (json.contains("code")) verdict.code = code_called(line(json.at("code")));  // none: of another Hone
  verdict.detail = text(json.at("detail"), longest_text);
  verdict.measurement = read_measurement(json.at("measurement"));
  verdict.tolerance_used = finite(json.value("tolerance_used", Json(0.0)));
  verdict.sandbox = line(json.at("sandbox"));
  if (json.contains("architecture")) verdict.architecture = read_architecture(json.at("architecture"));
  if (json.contains("machine")) verdict.machine = read_machine(json.at("machine"));
  verdict.seconds = finite(json.at("seconds"));
  if (json.contains("tried")) verdict.tried = read_tried(json.at("tried"));
  require(verdict.right || !verdict.faster, "it calls a wrong candidate faster");
  require(verdict.right || verdict.stage != Stage::done, "it is done with a wrong candidate");
  require(!verdict.right || verdict.stage == Stage::time || verdict.stage == Stage::done,
          "it calls right what was not verified");
  require(verdict.stage == Stage::done || !verdict.faster,
          "it calls a candidate faster that was not judged to the end");
  require(!verdict.faster || !verdict.measurement.problems.empty(),
          "it calls a candidate faster that was not measured");
  return verdict;
}

}  // namespace

std::string serialize(const Verdict& verdict) {
  Json json{{"stage", to_string(verdict.stage)},
            {"right", verdict.right},
            {"faster", verdict.faster},
            {"reason", verdict.reason},
            {"detail", verdict.detail},
            {"measurement", write_measurement(verdict.measurement)},
            {"tolerance_used", verdict.tolerance_used},
            {"sandbox", verdict.sandbox},
            {"seconds", verdict.seconds}};
  if (verdict.code != DiagnosticCode::none) json["code"] = code_name(verdict.code);
  if (!verdict.architecture.empty()) json["architecture"] = verdict.architecture;
  if (!verdict.machine.empty()) json["machine"] = verdict.machine;
  if (!verdict.tried.empty()) json["tried"] = write_tried(verdict.tried);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Verdict> parse_verdict(std::string_view bytes) {
  try {
    return read_verdict(parse_strictly(bytes));
  } catch (const std::exception& exception) {
    return failure(std::string("the worker's answer makes no sense: ") + exception.what(), "hone-worker");
  }
}

}  // namespace hone::bundle
