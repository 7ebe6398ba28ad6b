// verdict := JSON object with the members of Verdict by name, measurement and speedups as objects in it
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/base/printable.h"
#include "tool/bundle/bundle.h"
#include "tool/bundle/strict_json.h"
#include "tool/command/cuda_architecture.h"
#include "tool/model/launch_figures.h"
#include "tool/model/speedup_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

// What a person reads; a worker may be another's program.
constexpr std::size_t longest_line = 2000, longest_text = 16'000, most_tried = 100;

// Cuts a text to at most so many bytes, and no character in two.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  text.resize(most);
  return text;
}

std::string line(const Json& json) {
  return cut(printable_line(json.get<std::string>().substr(0, longest_line)), longest_line);
}

double finite(const Json& json) {
  const auto value = json.get<double>();
  require(std::isfinite(value) && value >= 0, "a figure is negative or not finite");
  return value;
}

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

Json write_counts(const ExecutionCounts& counts) {
  Json lines = Json::array();
  for (const LineCounts& line : counts.lines)
    lines.push_back(
        {{"line", line.line}, {"instructions", line.instructions}, {"first_level_misses", line.first_level_misses}});
  return {{"problem", counts.problem},
          {"instructions", counts.instructions},
          {"accesses", counts.accesses},
          {"first_level_misses", counts.first_level_misses},
          {"last_level_misses", counts.last_level_misses},
          {"branches", counts.branches},
          {"mispredictions", counts.mispredictions},
          {"lines", std::move(lines)}};
}

ExecutionCounts read_counts(const Json& json) {
  ExecutionCounts counts;
  counts.problem = line(json.at("problem"));
  counts.instructions = finite(json.at("instructions"));
  counts.accesses = finite(json.at("accesses"));
  counts.first_level_misses = finite(json.at("first_level_misses"));
  counts.last_level_misses = finite(json.at("last_level_misses"));
  counts.branches = finite(json.at("branches"));
  counts.mispredictions = finite(json.at("mispredictions"));
  for (const Json& item : list(json.at("lines")))
    counts.lines.push_back({.line = item.at("line").get<unsigned>(),
                            .instructions = finite(item.at("instructions")),
                            .first_level_misses = finite(item.at("first_level_misses"))});
  require(counts.lines.size() <= 100, "it counts too many lines");
  return counts;
}

Json write_profile(const DeviceProfile& profile) {
  Json kernels = Json::array();
  for (const LaunchCounters& one : profile.kernels) {
    Json kernel{{"kernel", one.kernel}, {"grid", one.grid},       {"block", one.block},
                {"times", one.times},   {"seconds", one.seconds}, {"total_seconds", one.total_seconds}};
    for (const LaunchFigure& figure : launch_figures())
      if (const auto& value = one.*figure.value) kernel[figure.name] = *value;
    kernels.push_back(std::move(kernel));
  }
  return {{"problem", profile.problem},
          {"launches", profile.launches},
          {"seconds", profile.seconds},
          {"kernels", std::move(kernels)}};
}

Json write_rates(const DeviceRates& rates) {
  return {{"device", rates.device},       {"copied", rates.copied},   {"on_float", rates.on_float},
          {"on_double", rates.on_double}, {"on_half", rates.on_half}, {"on_tensor_cores", rates.on_tensor_cores}};
}

DeviceRates read_rates(const Json& json) {
  return {.device = line(json.at("device")),
          .copied = finite(json.at("copied")),
          .on_float = finite(json.at("on_float")),
          .on_double = finite(json.at("on_double")),
          .on_half = finite(json.at("on_half")),
          .on_tensor_cores = finite(json.at("on_tensor_cores"))};
}

DeviceProfile read_profile(const Json& json) {
  DeviceProfile profile;
  profile.problem = line(json.at("problem"));
  profile.launches = json.at("launches").get<unsigned>();
  profile.seconds = finite(json.at("seconds"));
  for (const Json& item : list(json.at("kernels"))) {
    LaunchCounters one;
    one.kernel = line(item.at("kernel"));
    one.grid = line(item.at("grid"));
    one.block = line(item.at("block"));
    one.times = item.at("times").get<unsigned>();
    one.seconds = finite(item.at("seconds"));
    one.total_seconds = finite(item.at("total_seconds"));
    for (const LaunchFigure& figure : launch_figures())
      if (item.contains(figure.name)) one.*figure.value = finite(item.at(figure.name));
    profile.kernels.push_back(std::move(one));
  }
  require(!profile.kernels.empty() && profile.kernels.size() <= 100, "it profiles no kernels, or too many");
  return profile;
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

Verdict read_verdict(const Json& json) {
  Verdict verdict;
  verdict.stage = read_stage(json.at("stage"));
  verdict.right = json.at("right").get<bool>();
  verdict.faster = json.at("faster").get<bool>();
  verdict.reason = line(json.at("reason"));
  verdict.detail = cut(printable(json.at("detail").get<std::string>().substr(0, longest_text)), longest_text);
  verdict.measurement = read_measurement(json.at("measurement"));
  verdict.tolerance_used = finite(json.value("tolerance_used", Json(0.0)));
  verdict.sandbox = line(json.at("sandbox"));
  if (json.contains("architecture")) verdict.architecture = read_architecture(json.at("architecture"));
  verdict.seconds = finite(json.at("seconds"));
  if (json.contains("tried")) verdict.tried = read_tried(json.at("tried"));
  if (json.contains("rates")) verdict.rates = read_rates(json.at("rates"));
  if (json.contains("counts")) verdict.counts = read_counts(json.at("counts"));
  if (json.contains("profile")) verdict.profile = read_profile(json.at("profile"));
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
  if (!verdict.architecture.empty()) json["architecture"] = verdict.architecture;
  if (!verdict.tried.empty()) json["tried"] = write_tried(verdict.tried);
  if (verdict.rates) json["rates"] = write_rates(*verdict.rates);
  if (verdict.counts) json["counts"] = write_counts(*verdict.counts);
  if (verdict.profile) json["profile"] = write_profile(*verdict.profile);
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
