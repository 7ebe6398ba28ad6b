#include "tool/bundle/bundle.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/base/text_constants.h"
#include "tool/bundle/spec_json.h"
#include "tool/bundle/strict_json.h"

// bundle  := "hone bundle 1\n" <decimal length of header> "\n" header blobs
// header  := JSON object {spec, plan, given, blobs: [{name, bytes}…]}, exactly that long
// blobs   := the bytes of each blob in the header's order, nothing after the last
namespace hone::bundle {
namespace {

using Json = nlohmann::json;

constexpr std::string_view magic = "hone bundle 1\n";
// Far more than any bundle of ours has: a parser of foreign bytes takes no more.
constexpr std::size_t most_problems = 1000, most_looks = 32, most_given = 16;

constexpr struct {
  const char* name;
  std::string Bundle::*object;
} blobs[] = {{"reference", &Bundle::reference},
             {"candidate", &Bundle::candidate},
             {"sanitized_reference", &Bundle::sanitized_reference},
             {"sanitized_candidate", &Bundle::sanitized_candidate},
             {"race_checked_reference", &Bundle::race_checked_reference},
             {"race_checked_candidate", &Bundle::race_checked_candidate},
             {"precise_reference", &Bundle::precise_reference}};

// Behind the objects: what the plan's given cases hold.
constexpr const char* given_name = "given";

Json write_plan(const Plan& plan) {
  return {{"task", static_cast<int>(plan.task)},
          {"depth", static_cast<int>(plan.depth)},
          {"finite_math", plan.finite_math},
          {"flushes_denormals", plan.flushes_denormals},
          {"wants_rates", plan.wants_rates},
          {"seed", plan.seed},
          {"timeout_seconds", plan.timeout_seconds},
          {"memory_bytes", plan.memory_bytes},
          {"sanitizer_preload", plan.sanitizer_preload},
          {"race_preload", plan.race_preload},
          {"candidate_sanitizer_preload", plan.candidate_sanitizer_preload},
          {"candidate_race_preload", plan.candidate_race_preload},
          {"library_folders", plan.library_folders},
          {"constants", plan.constants},
          {"may_allocate", plan.may_allocate},
          {"rule",
           {{"threshold", plan.rule.threshold},
            {"confidence", plan.rule.confidence},
            {"looks", plan.rule.looks},
            {"shares", plan.rule.shares},
            {"futility", plan.rule.futility},
            {"minimum_pairs", plan.rule.minimum_pairs}}}};
}

bool between(double value, double low, double high) {
  return value >= low && value <= high;
}

std::vector<double> numbers(const Json& json) {
  std::vector<double> values;
  for (const Json& item : list(json)) values.push_back(item.get<double>());
  return values;
}

statistics::AcceptanceRule read_rule(const Json& json) {
  statistics::AcceptanceRule rule;
  rule.threshold = json.at("threshold").get<double>();
  rule.confidence = json.at("confidence").get<double>();
  rule.looks = numbers(json.at("looks"));
  rule.shares = numbers(json.at("shares"));
  rule.futility = json.at("futility").get<double>();
  rule.minimum_pairs = whole<unsigned>(json.at("minimum_pairs"));
  require(between(rule.threshold, 0.01, 10), "the rule's threshold is out of range");
  require(between(rule.confidence, 0.5, 0.999999), "the rule's confidence is out of range");
  require(between(rule.futility, 0, 0.5), "the rule's futility is out of range");
  require(!rule.looks.empty() && rule.looks.size() <= most_looks, "the rule has no looks");
  for (double look : rule.looks) require(between(look, 0, 3600), "a look is out of range");
  for (double share : rule.shares) require(between(share, 1e-6, 1e6), "a look's share is out of range");
  require(rule.minimum_pairs <= 100'000, "the rule's count of pairs is out of range");
  return rule;
}

Plan read_plan(const Json& json) {
  Plan plan;
  const int task = whole<int>(json.at("task"));
  require(task >= 0 && task <= static_cast<int>(Task::verify), "the task is unknown");
  plan.task = static_cast<Task>(task);
  const int depth = whole<int>(json.at("depth"));
  require(depth >= 0 && depth <= static_cast<int>(Depth::held_out), "the depth is unknown");
  plan.depth = static_cast<Depth>(depth);
  plan.finite_math = json.at("finite_math").get<bool>();
  plan.flushes_denormals = json.value("flushes_denormals", false);
  plan.wants_rates = json.value("wants_rates", false);
  plan.seed = whole<std::uint64_t>(json.at("seed"));
  plan.timeout_seconds = json.at("timeout_seconds").get<double>();
  require(between(plan.timeout_seconds, 1e-3, 86400), "the timeout is out of range");
  plan.memory_bytes = whole<std::size_t>(json.at("memory_bytes"));
  plan.sanitizer_preload = json.at("sanitizer_preload").get<std::string>();
  plan.race_preload = json.value("race_preload", "");
  plan.candidate_sanitizer_preload = json.value("candidate_sanitizer_preload", "");
  plan.candidate_race_preload = json.value("candidate_race_preload", "");
  plan.library_folders = json.value("library_folders", plan.library_folders);
  plan.rule = read_rule(json.at("rule"));
  plan.may_allocate = json.value("may_allocate", true);
  if (json.contains("constants")) plan.constants = whole_list<long long>(json.at("constants"));
  require(plan.constants.size() <= most_text_constants, "there are too many constants");
  return plan;
}

void read_all_given(const Json& header, std::string_view arrays, Plan& plan) {
  for (const Json& given : list(header.at("given"))) {
    require(plan.given.size() < most_given, "there are too many given cases");
    plan.given.push_back(read_given(given, arrays));
  }
  require(arrays.empty(), "there is more than the given cases hold");
}

tl::unexpected<Error> malformed(const std::string& why) {
  return failure("the bundle is malformed: " + why, "bundle");
}

std::string print(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string serialize(const Bundle& bundle) {
  Json sizes = Json::array();
  for (const auto& [name, object] : blobs) sizes.push_back({{"name", name}, {"bytes", (bundle.*object).size()}});
  std::string arrays;
  Json given = Json::array();
  for (const Given& one : bundle.plan.given) given.push_back(write_given(one, arrays));
  sizes.push_back({{"name", given_name}, {"bytes", arrays.size()}});
  Json content{{"spec", write_spec(bundle.kernel, bundle.data)},
               {"plan", write_plan(bundle.plan)},
               {"given", std::move(given)},
               {"blobs", std::move(sizes)}};
  if (!bundle.precise_reference.empty()) content["precise_spec"] = write_spec(bundle.kernel, bundle.precise_data);
  const std::string header = print(content);
  std::string text(magic);
  text += std::to_string(header.size()) + "\n" + header;
  for (const auto& blob : blobs) text += bundle.*blob.object;
  return text += arrays;
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
  try {
    const Json header = parse_strictly(bytes.substr(0, length));
    bytes.remove_prefix(length);
    Bundle bundle;
    bundle.kernel = read_identity(header.at("spec"));
    bundle.data = read_data(header.at("spec"));
    bundle.plan = read_plan(header.at("plan"));
    require(!bundle.data.problems.empty() && bundle.data.problems.size() <= most_problems,
            "there are no problems, or too many");
    for (const Json& blob : list(header.at("blobs"))) {
      const auto name = blob.at("name").get<std::string>();
      const auto size = whole<std::size_t>(blob.at("bytes"));
      require(size <= bytes.size(), "it is cut short in an object");
      if (name == given_name) {
        read_all_given(header, bytes.substr(0, size), bundle.plan);
        bytes.remove_prefix(size);
        continue;
      }
      const auto known = std::ranges::find_if(blobs, [&](const auto& one) { return name == one.name; });
      require(known != std::end(blobs), "an object has an unknown name");
      (bundle.*known->object).assign(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    require(bytes.empty(), "there is more after the last object");
    require(!bundle.reference.empty(), "the original's object is missing");
    if (!bundle.precise_reference.empty()) {
      bundle.precise_data = read_data(header.at("precise_spec"));
      require(bundle.precise_data.parameters.size() == bundle.data.parameters.size() &&
                  bundle.precise_data.problems.size() == bundle.data.problems.size() &&
                  bundle.precise_data.result.has_value() == bundle.data.result.has_value(),
              "the precise original has another signature");
    }
    require(bundle.plan.task == Task::reference || !bundle.candidate.empty(), "the candidate's object is missing");
    return bundle;
  } catch (const std::exception& exception) {
    return malformed(exception.what());
  }
}

}  // namespace hone::bundle
