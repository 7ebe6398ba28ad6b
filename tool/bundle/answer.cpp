// answer := {"bundle": fingerprint, "verdict": verdict}
#include "tool/bundle/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "tool/base/median.h"
#include "tool/base/random.h"
#include "tool/bundle/results_json.h"
#include "tool/bundle/strict_json.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_samples_kept = 2000;  // what reports and records need of a long measurement

// The weights of the problems that the timer times: those that have a weight, or all alike if none has one.
std::vector<double> timed_weights(const KernelData& spec) {
  std::vector<double> weights;
  for (const Problem& problem : spec.problems)
    if (problem.weight > 0) weights.push_back(problem.weight);
  if (weights.empty()) weights.assign(spec.problems.size(), 1.0);
  return weights;
}

void thin(std::vector<double>& samples) {
  const std::size_t step = (samples.size() + most_samples_kept - 1) / most_samples_kept;
  if (step < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < samples.size(); i += step) samples[kept++] = samples[i];
  samples.resize(kept);
}

std::string figure(const Speedup& speedup) {
  return fmt::format("{:.2f}x ({:.2f}..{:.2f})", speedup.median, speedup.low, speedup.high);
}

// The claim's figures against the bundle and the clock on our wall.
void check_shape(const Verdict& verdict, const Bundle& bundle, double elapsed) {
  const bool of_original = bundle.plan.task == Task::reference;
  const Measurement& measurement = verdict.measurement;
  require(verdict.stage != Stage::gate && verdict.stage != Stage::compile,
          "it ends in a stage that is not the worker's");
  require(!of_original || !verdict.faster, "it calls the original faster than itself");
  require(verdict.seconds <= elapsed + 1, "it claims to have taken longer than it did");
  require(measurement.seconds <= verdict.seconds + 1, "it claims to have measured longer than it ran");
  if (of_original || measurement.problems.empty()) return;
  const std::vector<double> weights = timed_weights(bundle.data);
  require(measurement.problems.size() == weights.size(), "it measured other problems than it was given");
  double spent = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const ProblemMeasurement& problem = measurement.problems[i];
    require(problem.weight == weights[i], "it weighs the problems otherwise than it was told");
    spent = std::accumulate(problem.reference_samples.begin(), problem.reference_samples.end(), spent);
    spent = std::accumulate(problem.candidate_samples.begin(), problem.candidate_samples.end(), spent);
  }
  require(spent <= (measurement.seconds * 1.1 + 1) * bundle.data.threads, "its samples took longer than it measured");
}

// Estimates again by the same rule and code as in the worker. A worker stops at the first look that decides, so every
// look that it may have taken is tried; they share the error level.
statistics::Estimate estimate_again(const Measurement& measurement, const Plan& plan) {
  std::vector<statistics::PairedSamples> samples;
  for (const ProblemMeasurement& problem : measurement.problems)
    samples.push_back({.weight = problem.weight,
                       .reference = problem.reference_samples,
                       .candidate = problem.candidate_samples,
                       .common_error = problem.common_error});
  statistics::Estimate result;
  for (unsigned look = 0; look < plan.rule.looks.size(); ++look) {
    if (look > 0 && plan.rule.looks[look] > measurement.seconds) break;
    result = statistics::estimate(samples, plan.rule, look);
    if (result.decision == statistics::Decision::faster) break;
  }
  return result;
}

bool near(const Speedup& claimed, const Speedup& computed) {
  constexpr double slack = 1.02;  // the claim and the samples may differ by how they were rounded and thinned
  return claimed.median >= computed.low / slack && claimed.median <= computed.high * slack;
}

void measure_again(Verdict& verdict, const Bundle& bundle) {
  Measurement& measurement = verdict.measurement;
  if (bundle.plan.task == Task::reference || measurement.problems.empty()) return;
  const bool sampled = std::ranges::all_of(
      measurement.problems, [](const ProblemMeasurement& problem) { return problem.reference_samples.size() >= 2; });
  require(sampled || !verdict.faster, "it calls faster what it has no samples of");
  if (!sampled) return;
  const statistics::Estimate again = estimate_again(measurement, bundle.plan);
  require(near(measurement.speedup, again.speedup), "its figures are not those of its samples");
  measurement.speedup = again.speedup;
  for (std::size_t i = 0; i < measurement.problems.size(); ++i) {
    ProblemMeasurement& problem = measurement.problems[i];
    problem.speedup = again.per_problem[i];
    problem.reference_seconds = median(problem.reference_samples);
    problem.candidate_seconds = median(problem.candidate_samples);
  }
  if (!verdict.faster) return;
  if (again.decision == statistics::Decision::faster) {
    verdict.code = DiagnosticCode::none;
    verdict.reason = "faster: " + figure(again.speedup);
    return;
  }
  verdict.faster = false;
  verdict.stage = Stage::time;
  verdict.code = DiagnosticCode::not_faster;
  verdict.reason = "not faster by its own samples: " + figure(again.speedup);
}

}  // namespace

std::string fingerprint(std::string_view bundle_bytes) {
  std::uint64_t state = mix(bundle_bytes.size());
  while (!bundle_bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(sizeof word, bundle_bytes.size());
    std::memcpy(&word, bundle_bytes.data(), bytes);
    state = mix(state ^ word) + 0x9e3779b97f4a7c15u;
    bundle_bytes.remove_prefix(bytes);
  }
  return fmt::format("{:016x}", state);
}

std::string serialize_answer(const Answer& answer, std::string_view bundle_bytes) {
  Json verdict = Json::parse(serialize(static_cast<const Verdict&>(answer)));
  write_results(verdict, answer);
  return "{\"bundle\":\"" + fingerprint(bundle_bytes) +
         "\",\"verdict\":" + verdict.dump(-1, ' ', false, Json::error_handler_t::replace) + "}";
}

Result<Answer> read_answer(std::string_view bytes, const Bundle& bundle, std::string_view bundle_bytes,
                           double elapsed) {
  try {
    const Json json = parse_strictly(bytes);
    require(json.at("bundle").get<std::string>() == fingerprint(bundle_bytes), "it is to another bundle");
    HONE_TRY(Verdict verdict, parse_verdict(json.at("verdict").dump()));
    Answer answer{std::move(verdict)};
    read_results(json["verdict"], answer);
    check_shape(answer, bundle, elapsed);
    measure_again(answer, bundle);
    for (ProblemMeasurement& problem : answer.measurement.problems) {
      thin(problem.reference_samples);
      thin(problem.candidate_samples);
    }
    return answer;
  } catch (const std::exception& exception) {
    return failure(std::string("the worker's answer makes no sense: ") + exception.what(), "hone-worker");
  }
}

}  // namespace hone::bundle
