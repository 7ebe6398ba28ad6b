#include "tool/evaluate/bundle.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/evaluate/spec_json.h"

// bundle  := "hone bundle 1\n" <decimal length of header> "\n" header blobs
// header  := JSON object {spec, plan, blobs: [{name, bytes}…]}, exactly that long
// blobs   := the bytes of each blob in the header's order, nothing after the last
namespace hone::evaluate {
namespace {

using Json = nlohmann::json;

constexpr std::string_view magic = "hone bundle 1\n";
constexpr std::size_t most_problems = 1000, most_looks = 32;

Json write_plan(const Plan& plan) {
  return {{"task", static_cast<int>(plan.task)},
          {"depth", static_cast<int>(plan.depth)},
          {"finite_math", plan.finite_math},
          {"seed", plan.seed},
          {"timeout_seconds", plan.timeout_seconds},
          {"memory_bytes", plan.memory_bytes},
          {"sanitizer_preload", plan.sanitizer_preload},
          {"rule",
           {{"threshold", plan.rule.threshold},
            {"confidence", plan.rule.confidence},
            {"looks", plan.rule.looks},
            {"shares", plan.rule.shares},
            {"futility", plan.rule.futility},
            {"resamples", plan.rule.resamples},
            {"minimum_pairs", plan.rule.minimum_pairs}}}};
}

void require(bool condition, const char* what) {
  if (!condition) throw std::range_error(what);
}

bool between(double value, double low, double high) {
  return value >= low && value <= high;
}

AcceptanceRule read_rule(const Json& json) {
  AcceptanceRule rule;
  rule.threshold = json.at("threshold").get<double>();
  rule.confidence = json.at("confidence").get<double>();
  rule.looks = json.at("looks").get<std::vector<double>>();
  rule.shares = json.at("shares").get<std::vector<double>>();
  rule.futility = json.at("futility").get<double>();
  rule.resamples = json.at("resamples").get<unsigned>();
  rule.minimum_pairs = json.at("minimum_pairs").get<unsigned>();
  require(between(rule.threshold, 0.01, 10), "the rule's threshold is out of range");
  require(between(rule.confidence, 0.5, 0.999999), "the rule's confidence is out of range");
  require(between(rule.futility, 0, 0.5), "the rule's futility is out of range");
  require(!rule.looks.empty() && rule.looks.size() <= most_looks, "the rule has no looks");
  for (double look : rule.looks) require(between(look, 0, 3600), "a look is out of range");
  for (double share : rule.shares) require(between(share, 1e-6, 1e6), "a look's share is out of range");
  require(between(rule.resamples, 100, 1e6) && rule.minimum_pairs <= 100'000, "the rule's counts are out of range");
  return rule;
}

Plan read_plan(const Json& json) {
  Plan plan;
  const int task = json.at("task").get<int>();
  require(task >= 0 && task <= static_cast<int>(Task::measure), "the task is unknown");
  plan.task = static_cast<Task>(task);
  const int depth = json.at("depth").get<int>();
  require(depth >= 0 && depth <= static_cast<int>(Depth::held_out), "the depth is unknown");
  plan.depth = static_cast<Depth>(depth);
  plan.finite_math = json.at("finite_math").get<bool>();
  plan.seed = json.at("seed").get<std::uint64_t>();
  plan.timeout_seconds = json.at("timeout_seconds").get<double>();
  require(between(plan.timeout_seconds, 1e-3, 86400), "the timeout is out of range");
  plan.memory_bytes = json.at("memory_bytes").get<std::size_t>();
  plan.sanitizer_preload = json.at("sanitizer_preload").get<std::string>();
  plan.rule = read_rule(json.at("rule"));
  return plan;
}

tl::unexpected<Error> malformed(const std::string& why) {
  return failure("the bundle is malformed: " + why, "bundle");
}

std::string print(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json write_speedup(const Speedup& speedup) {
  return {{"median", speedup.median}, {"low", speedup.low}, {"high", speedup.high}};
}

double finite(const Json& json) {
  const auto value = json.get<double>();
  require(std::isfinite(value) && value >= 0, "a figure is negative or not finite");
  return value;
}

Speedup read_speedup(const Json& json) {
  const Speedup speedup{finite(json.at("median")), finite(json.at("low")), finite(json.at("high"))};
  require(speedup.low <= speedup.median && speedup.median <= speedup.high, "an interval is not around its median");
  return speedup;
}

std::vector<double> read_samples(const Json& json) {
  std::vector<double> samples;
  for (const Json& item : json) samples.push_back(finite(item));
  return samples;
}

Json write_measurement(const Measurement& measurement) {
  Json problems = Json::array();
  for (const ProblemMeasurement& problem : measurement.problems)
    problems.push_back({{"label", problem.label},
                        {"weight", problem.weight},
                        {"speedup", write_speedup(problem.speedup)},
                        {"reference_seconds", problem.reference_seconds},
                        {"candidate_seconds", problem.candidate_seconds},
                        {"reference_samples", problem.reference_samples},
                        {"candidate_samples", problem.candidate_samples}});
  return {{"speedup", write_speedup(measurement.speedup)},
          {"problems", std::move(problems)},
          {"seconds", measurement.seconds},
          {"noisy", measurement.noisy},
          {"decided", measurement.decided},
          {"clock", measurement.clock}};
}

Measurement read_measurement(const Json& json) {
  Measurement measurement;
  measurement.speedup = read_speedup(json.at("speedup"));
  for (const Json& item : json.at("problems")) {
    ProblemMeasurement problem;
    problem.label = item.at("label").get<std::string>();
    problem.weight = finite(item.at("weight"));
    problem.speedup = read_speedup(item.at("speedup"));
    problem.reference_seconds = finite(item.at("reference_seconds"));
    problem.candidate_seconds = finite(item.at("candidate_seconds"));
    problem.reference_samples = read_samples(item.at("reference_samples"));
    problem.candidate_samples = read_samples(item.at("candidate_samples"));
    require(problem.reference_samples.size() == problem.candidate_samples.size(), "the samples are not in pairs");
    measurement.problems.push_back(std::move(problem));
  }
  measurement.seconds = finite(json.at("seconds"));
  measurement.noisy = json.at("noisy").get<bool>();
  measurement.decided = json.at("decided").get<bool>();
  measurement.clock = json.at("clock").get<std::string>();
  return measurement;
}

Stage read_stage(const Json& json) {
  const auto name = json.get<std::string>();
  for (Stage stage : {Stage::gate, Stage::compile, Stage::verify, Stage::time, Stage::done})
    if (name == to_string(stage)) return stage;
  throw std::range_error("the stage is unknown");
}

Verdict read_verdict(const Json& json) {
  Verdict verdict;
  verdict.stage = read_stage(json.at("stage"));
  verdict.right = json.at("right").get<bool>();
  verdict.faster = json.at("faster").get<bool>();
  verdict.reason = json.at("reason").get<std::string>();
  verdict.detail = json.at("detail").get<std::string>();
  verdict.measurement = read_measurement(json.at("measurement"));
  verdict.tolerance_used = finite(json.value("tolerance_used", Json(0.0)));
  verdict.sandbox = json.at("sandbox").get<std::string>();
  verdict.seconds = finite(json.at("seconds"));
  require(verdict.right || !verdict.faster, "it calls a wrong candidate faster");
  require(verdict.stage == Stage::done || !verdict.faster, "it calls faster what was not judged to the end");
  require(!verdict.faster || !verdict.measurement.problems.empty(), "it calls faster what was not measured");
  return verdict;
}

}  // namespace

std::string serialize(const Bundle& bundle) {
  const std::pair<const char*, const std::string*> blobs[] = {{"reference", &bundle.reference},
                                                              {"candidate", &bundle.candidate},
                                                              {"sanitized_reference", &bundle.sanitized_reference},
                                                              {"sanitized_candidate", &bundle.sanitized_candidate},
                                                              {"precise_reference", &bundle.precise_reference}};
  Json sizes = Json::array();
  for (const auto& [name, bytes] : blobs) sizes.push_back({{"name", name}, {"bytes", bytes->size()}});
  Json content{{"spec", write_spec(bundle.spec)}, {"plan", write_plan(bundle.plan)}, {"blobs", std::move(sizes)}};
  if (!bundle.precise_reference.empty()) content["precise_spec"] = write_spec(bundle.precise_spec);
  const std::string header = print(content);
  std::string text(magic);
  text += std::to_string(header.size()) + "\n" + header;
  for (const auto& [name, bytes] : blobs) text += *bytes;
  return text;
}

Result<Bundle> parse_bundle(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return malformed("it does not start with \"hone bundle 1\"");
  bytes.remove_prefix(magic.size());
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
  if (error != std::errc() || end == bytes.data() + bytes.size() || *end != '\n')
    return malformed("it has no header length");
  bytes.remove_prefix(static_cast<std::size_t>(end - bytes.data()) + 1);
  if (length > bytes.size()) return malformed("it is cut short in the header");
  const Json header = Json::parse(bytes.substr(0, length), nullptr, false);
  if (header.is_discarded()) return malformed("its header is not JSON");
  bytes.remove_prefix(length);
  try {
    Bundle bundle;
    bundle.spec = read_spec(header.at("spec"));
    bundle.plan = read_plan(header.at("plan"));
    require(!bundle.spec.problems.empty() && bundle.spec.problems.size() <= most_problems,
            "there are no problems, or too many");
    for (const Json& blob : header.at("blobs")) {
      const auto name = blob.at("name").get<std::string>();
      const auto size = blob.at("bytes").get<std::size_t>();
      require(size <= bytes.size(), "it is cut short in an object");
      std::string& target = name == "reference"             ? bundle.reference
                            : name == "candidate"           ? bundle.candidate
                            : name == "sanitized_reference" ? bundle.sanitized_reference
                            : name == "sanitized_candidate" ? bundle.sanitized_candidate
                            : name == "precise_reference"   ? bundle.precise_reference
                                                            : throw std::range_error("an object has an unknown name");
      target.assign(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    require(bytes.empty(), "there is more after the last object");
    require(!bundle.reference.empty(), "the original's object is missing");
    if (!bundle.precise_reference.empty()) {
      bundle.precise_spec = read_spec(header.at("precise_spec"));
      require(bundle.precise_spec.parameters.size() == bundle.spec.parameters.size() &&
                  bundle.precise_spec.problems.size() == bundle.spec.problems.size() &&
                  bundle.precise_spec.result.has_value() == bundle.spec.result.has_value(),
              "the precise original has another signature");
    }
    require(bundle.plan.task == Task::reference || !bundle.candidate.empty(), "the candidate's object is missing");
    return bundle;
  } catch (const std::exception& exception) {
    return malformed(exception.what());
  }
}

std::string serialize(const Verdict& verdict) {
  return print({{"stage", to_string(verdict.stage)},
                {"right", verdict.right},
                {"faster", verdict.faster},
                {"reason", verdict.reason},
                {"detail", verdict.detail},
                {"measurement", write_measurement(verdict.measurement)},
                {"tolerance_used", verdict.tolerance_used},
                {"sandbox", verdict.sandbox},
                {"seconds", verdict.seconds}});
}

Result<Verdict> parse_verdict(std::string_view bytes) {
  const Json json = Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return failure("the worker's answer is not JSON", "hone-worker");
  try {
    return read_verdict(json);
  } catch (const std::exception& exception) {
    return failure(std::string("the worker's answer makes no sense: ") + exception.what(), "hone-worker");
  }
}

}  // namespace hone::evaluate
