#include "tool/bundle/bundle.h"
#include "tool/bundle/results_json.h"
#include "tool/judge/count/ncu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tool/base/random.h"

namespace hone::bundle {
namespace {

Bundle sample() {
  Bundle bundle;
  KernelIdentity& kernel = bundle.kernel;
  kernel.name = "blur";
  kernel.signature = "void blur(const float *, float *, int)";
  kernel.file = "/src/blur.cpp";
  kernel.line = 12;
  kernel.key = std::string(64, 'a');
  const ElementType number{"float", 4, 4, {{"", {ScalarKind::floating, 4}, 0, 1}}};
  const ElementType point{
      "Point", 24, 8, {{"pos.x", {ScalarKind::floating, 8}, 0, 2}, {"id", {ScalarKind::signed_integer, 4}, 16, 1}}};
  Parameter x{
      .name = "x", .type = "const float *", .pointer = true, .element = number, .extent = {{0, 1}, {std::nullopt, 2}}};
  x.init = Init{Distribution::uniform, {0, 1}, ""};
  Parameter y{.name = "y",
              .type = "Point *",
              .pointer = true,
              .element = point,
              .role = Role::out,
              .extent = {{std::nullopt, 2}}};
  y.tolerance.rtol = 1e-4;
  y.alias_group = 3;
  Parameter n{.name = "n",
              .type = "int",
              .element = {"int", 4, 4, {{"", {ScalarKind::signed_integer, 4}, 0, 1}}},
              .enumerators = {1, 5}};
  KernelData& data = bundle.data;
  data.asks_for_nan = true;
  data.parameters = {x, y, n};
  data.result = number;
  data.problems = {{{2}, 1}, {{2}, 0.5}};
  data.expression_count = 3;
  bundle.plan.seed = 0xfedcba9876543210u;
  bundle.plan.sanitizer_preload = "libasan.so.8";
  bundle.reference = std::string("ELF\0reference", 13);
  bundle.candidate = "candidate";
  bundle.sanitized_candidate = std::string(1000, '\xff');
  return bundle;
}

Verdict verdict() {
  Verdict verdict{.stage = Stage::done,
                  .right = true,
                  .faster = true,
                  .reason = "faster",
                  .code = DiagnosticCode::not_faster,
                  .detail = "a\nb \xff",
                  .sandbox = "full",
                  .architecture = "sm_90",
                  .machine = "NVIDIA H200 (sm_90)",
                  .seconds = 0.5};
  verdict.measurement.speedup = {2, 1.9, 2.1};
  verdict.measurement.problems = {{"n=3", 1, {2, 1.9, 2.1}, 1e-3, 5e-4, {1e-3, 1e-3}, {5e-4, 5e-4}}};
  verdict.measurement.clock = "process-cpu";
  verdict.tried = {.cases = 9,
                   .scalars = {{"n", -1, 64}},
                   .values = {"uniform"},
                   .checks = {"guard pages"},
                   .not_tried = {"races"},
                   .proof = "equal for n <= 4"};
  return verdict;
}

TEST(Bundle, SurvivesRoundTrip) {
  const std::string bytes = serialize(sample());
  const auto parsed = parse_bundle(bytes);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(serialize(*parsed), bytes);
  EXPECT_EQ(parsed->reference, sample().reference);
  EXPECT_EQ(parsed->sanitized_candidate, sample().sanitized_candidate);
  EXPECT_EQ(parsed->plan.seed, sample().plan.seed);
  EXPECT_EQ(parsed->data.parameters[1].element, sample().data.parameters[1].element);
  EXPECT_TRUE(parsed->data.asks_for_nan);
  EXPECT_EQ(parsed->data.parameters[0].extent[0].start, 0u);
}

TEST(Bundle, IsRefusedIfTruncated) {
  const std::string bytes = serialize(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(parse_bundle(bytes.substr(0, length))) << length;
  EXPECT_FALSE(parse_bundle(bytes + "x"));
}

TEST(Bundle, IsRefusedWithUnknownExpression) {
  Bundle bundle = sample();
  bundle.data.parameters[0].extent[0].length = 3;
  EXPECT_FALSE(parse_bundle(serialize(bundle)));
}

TEST(Bundle, IsRefusedWithFieldOutsideElement) {
  Bundle bundle = sample();
  bundle.data.parameters[1].element.fields[1].offset = 22;
  EXPECT_FALSE(parse_bundle(serialize(bundle)));
}

// Whatever bytes change, the parser answers, and what it accepts it can write again.
TEST(Bundle, SurvivesMutation) {
  const std::string bytes = serialize(sample());
  const std::size_t header = bytes.size() - 1022;
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string mutant = bytes;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(header);
      switch (random.below(4)) {
        case 0:
          mutant[at] = static_cast<char>(random.bits());
          break;
        case 1:
          mutant[at] = "0123456789-.e\"{}[],:nulltrue"[random.below(28)];
          break;
        case 2:
          mutant.erase(at, 1 + random.below(8));
          break;
        default:
          mutant.insert(at, mutant.substr(random.below(header), random.below(20)));
      }
      if (mutant.size() < header) break;
    }
    if (const auto parsed = parse_bundle(mutant)) ASSERT_TRUE(parse_bundle(serialize(*parsed)));
  }
}

TEST(Verdict, SurvivesRoundTrip) {
  const std::string bytes = serialize(verdict());
  const auto parsed = parse_verdict(bytes);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->stage, Stage::done);
  EXPECT_EQ(parsed->measurement.problems[0].candidate_samples, verdict().measurement.problems[0].candidate_samples);
  EXPECT_EQ(parsed->measurement.speedup.low, 1.9);
  EXPECT_EQ(parsed->architecture, "sm_90");
  EXPECT_EQ(parsed->machine, "NVIDIA H200 (sm_90)");
  Verdict strange = verdict();
  strange.machine = "root@10.0.0.1";
  EXPECT_EQ(parse_verdict(serialize(strange)).value().machine, "") << "a name costs no verdict, and is not kept";
  EXPECT_EQ(parsed->tried, verdict().tried);
}

nlohmann::json results_of(const Answer& answer) {
  nlohmann::json json;
  write_results(json, answer);
  return json;
}

TEST(Answer, KeepsDeviceCountersInRoundTrip) {
  Answer counted, parsed;
  LaunchCounters kernel{.kernel = "step(int *)", .grid = "4, 1, 1", .block = "32, 1, 1", .times = 3, .seconds = 1e-6};
  kernel.total_seconds = 3e-6;
  for (double value = 1; const LaunchFigure& figure : launch_figures()) kernel.*figure.value = value++;
  kernel.tensor_share.reset();
  counted.rates = DeviceRates{"NVIDIA H200", 4.2e12, 6e13, 3e13, 1.2e14, 5e14};
  for (std::uint64_t value = 1; const auto& [name, limit] : device_limits) counted.rates->limits.*limit = value++;
  counted.profile = DeviceProfile{.problem = "n=3", .launches = 3, .seconds = 3e-6, .kernels = {kernel}};
  counted.counts = ExecutionCounts{.problem = "n=3", .instructions = 7, .lines = {{.line = 2, .instructions = 5}}};
  read_results(results_of(counted), parsed);
  EXPECT_EQ(parsed.profile, counted.profile);
  EXPECT_EQ(parsed.rates, counted.rates);
  ASSERT_TRUE(parsed.counts);
  EXPECT_EQ(parsed.counts->instructions, 7);
  EXPECT_EQ(parsed.counts->lines.at(0).line, 2u);
}

TEST(Verdict, IsRefusedIfInconsistent) {
  const auto refused = [](auto change) {
    Verdict broken = verdict();
    change(broken);
    return !parse_verdict(serialize(broken));
  };
  EXPECT_TRUE(refused([](Verdict& v) { v.right = false; }));
  EXPECT_TRUE(refused([](Verdict& v) { v.stage = Stage::verify; }));
  EXPECT_TRUE(refused([](Verdict& v) { v.measurement.problems.clear(); }));
  EXPECT_TRUE(refused([](Verdict& v) { v.measurement.problems[0].candidate_samples.pop_back(); }));
  EXPECT_TRUE(refused([](Verdict& v) { v.measurement.speedup.median = 5; }));
  EXPECT_TRUE(refused([](Verdict& v) { v.measurement.speedup.median = std::nan(""); }));
  for (const char* none : {"90", "sm_", "compute_90", "sm_90a", "sm_09", "sm_90 "})
    EXPECT_TRUE(refused([&](Verdict& v) { v.architecture = none; })) << none;
  EXPECT_FALSE(parse_verdict("{}"));
  EXPECT_FALSE(parse_verdict("segmentation fault"));
  EXPECT_FALSE(parse_verdict(""));
}

TEST(Answer, IsRefusedIfResultsMakeNoSense) {
  const auto read_back = [](const Answer& answer) {
    Answer read;
    read_results(results_of(answer), read);
  };
  Answer without_kernels, negative, fine, rates;
  without_kernels.profile = DeviceProfile{};
  negative.profile = DeviceProfile{.kernels = {{.waves = -1}}};
  fine.profile = DeviceProfile{.kernels = {{.waves = 1}}};
  rates.rates = DeviceRates{.on_float = -1};
  nlohmann::json strange = results_of({.rates = DeviceRates{}});
  strange["rates"]["limits"]["multiprocessors"] = -1;
  EXPECT_THROW(read_back(without_kernels), std::range_error);
  EXPECT_THROW(read_back(negative), std::range_error);
  EXPECT_THROW(read_back(rates), std::range_error);
  Answer read;
  EXPECT_THROW(read_results(strange, read), std::range_error);
  strange["rates"].erase("limits");
  EXPECT_NO_THROW(read_results(strange, read)) << "of a worker that knew none";
  EXPECT_NO_THROW(read_back(fine));
}

}  // namespace
}  // namespace hone::bundle
