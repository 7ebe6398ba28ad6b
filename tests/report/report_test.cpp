#include <cmath>
#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/report/console.h"
#include "tool/report/json.h"
#include "tool/report/text.h"

namespace hone::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Verdict timed() {
  Verdict verdict;
  verdict.stage = Stage::done;
  verdict.right = verdict.faster = true;
  verdict.measurement.speedup = {3, 2.9, 3.1};
  verdict.measurement.problems.resize(1);
  verdict.measurement.problems[0].label = "w=64";
  verdict.measurement.problems[0].speedup = {3, 2.9, 3.1};
  return verdict;
}

TEST(Text, ShortensFigures) {
  EXPECT_EQ(interval({3.123, 3.08, 3.171}), "3.12x [3.08, 3.17]");
  EXPECT_EQ(duration(42.4), "0:42");
  EXPECT_EQ(duration(3723), "1:02:03");
  EXPECT_EQ(duration(-5), "0:00");
}

TEST(Text, DescribesVerdictBriefly) {
  EXPECT_EQ(describe(timed()), "3.00x [2.90, 3.10]");
  Verdict verdict;
  verdict.reason = "calls rand";
  EXPECT_EQ(describe(verdict), "not allowed: calls rand");
  verdict.stage = Stage::compile;
  EXPECT_EQ(describe(verdict), "does not compile: calls rand");
  verdict.stage = Stage::verify;
  EXPECT_EQ(describe(verdict), "wrong: calls rand");
  verdict.code = DiagnosticCode::result_wrong;
  EXPECT_EQ(describe(verdict), "wrong: calls rand [hone-result-wrong]");
  EXPECT_EQ(json::parse(eval_json("blur", verdict))["code"], "result-wrong");
  EXPECT_TRUE(json::parse(eval_json("blur", timed()))["code"].is_null());
}

TEST(Text, AlignsSummaryColumns) {
  KernelResult tuned{"blur", "b.cpp", 3, "k", Outcome::tuned, true, {3, 2.9, 3.1}, "d", {45, 44, 40, 9, 3, 2, 1},
                     61,     ""};
  KernelResult kept{"scan", "s.cpp",          7, "k", Outcome::original_kept, false, {}, "", {45, 45, 45, 0},
                    60,     "none was faster"};
  EXPECT_EQ(summary({tuned, kept}),
            "kernel  speedup             trials  compiled  right  faster  time  result\n"
            "blur    3.00x [2.90, 3.10]      45        44     40       9  1:01  tuned\n"
            "scan    -                       45        45     45       0  1:00  original kept\n"
            "s.cpp:7: scan: none was faster\n");
}

TEST(Json, HasDocumentedKeysForEval) {
  const json document = json::parse(eval_json("blur", timed()));
  EXPECT_EQ(document["kernel"], "blur");
  EXPECT_EQ(document["right"], true);
  EXPECT_EQ(document["faster"], true);
  EXPECT_EQ(document["stage"], "done");
  EXPECT_EQ(document["speedup"], (json{{"median", 3.0}, {"low", 2.9}, {"high", 3.1}}));
  EXPECT_EQ(document["problems"][0]["label"], "w=64");
  EXPECT_EQ(document["problems"][0]["speedup"]["low"], 2.9);
}

TEST(Json, WritesUnmeasuredFigureAsNull) {
  Verdict verdict;
  verdict.stage = Stage::compile;
  verdict.reason = "error: \xff is no UTF-8";
  const json document = json::parse(eval_json("blur", verdict));
  EXPECT_TRUE(document["speedup"].is_null());
  EXPECT_EQ(document["problems"], json::array());
  verdict = timed();
  verdict.measurement.speedup.high = INFINITY;
  EXPECT_TRUE(json::parse(eval_json("blur", verdict))["speedup"]["high"].is_null());
}

TEST(Json, HasDocumentedKeysForTune) {
  KernelResult tuned{"blur", "b.cpp", 3, "k", Outcome::tuned, true, {3, 2.9, 3.1}, "d", {45, 44, 40, 9, 3, 2, 1},
                     61,     ""};
  tuned.failures = {{"wrong", "y[3] is 4", "y[] is ", 2, DiagnosticCode::result_wrong}, {"not accepted", "", "", 1}};
  const json kernel = json::parse(tune_json({tuned}))["kernels"][0];
  EXPECT_EQ(kernel["name"], "blur");
  EXPECT_EQ(kernel["accepted"], true);
  EXPECT_EQ(kernel["trials"], (json{{"total", 45},
                                    {"compiled", 44},
                                    {"right", 40},
                                    {"faster", 9},
                                    {"duplicates", 3},
                                    {"without_code", 2},
                                    {"cut", 1}}));
  EXPECT_EQ(kernel["spent"], (json{{"seconds", 61.0}, {"tokens", 0}, {"cost", 0}}));
  EXPECT_EQ(kernel["failures"],
            (json{{{"what", "wrong"}, {"example", "y[3] is 4"}, {"count", 2}, {"code", "result-wrong"}},
                  {{"what", "not accepted"}, {"example", ""}, {"count", 1}, {"code", nullptr}}}));
}

TEST(Json, HasDocumentedKeysForListAndVerify) {
  const json listed =
      json::parse(list_json({{"blur", "b.cpp", 3, "k", "untuned", false, {}, "app", ""}}))["kernels"][0];
  for (const char* key : {"name", "file", "line", "key", "state", "linked", "speedup"})
    EXPECT_TRUE(listed.contains(key)) << key;
  EXPECT_TRUE(listed["speedup"].is_null());
  const json verified = json::parse(verify_json({{"blur", "b.cpp", 3, "k", timed()}}))["kernels"][0];
  for (const char* key : {"name", "right", "speedup"}) EXPECT_TRUE(verified.contains(key)) << key;
}

class ConsoleTest : public testing::Test {
 protected:
  ~ConsoleTest() override { std::fclose(stream_); }

  std::string run(Console::Options options) {
    Console console(stream_, std::move(options));
    console.begin({"blur", "b.cpp", 3, 45, 600});
    Verdict slower = timed();
    slower.faster = false;
    slower.measurement.problems.push_back({.label = "w=515", .speedup = {0.8, 0.79, 0.81}});
    console.trial({1, "unroll(2)", slower, false, 1});
    console.trial({2, "tile(64)", timed(), true, 3});
    console.note("something to know");
    console.end({"blur", "b.cpp", 3, "k", Outcome::tuned, true, {3, 2.9, 3.1}, "d", {}, 1, ""});
    std::string text(static_cast<std::size_t>(std::ftell(stream_)), '\0');
    std::rewind(stream_);
    text.resize(std::fread(text.data(), 1, text.size(), stream_));
    return text;
  }

  std::FILE* stream_ = std::tmpfile();
};

TEST_F(ConsoleTest, WritesLineForEachTrial) {
  EXPECT_EQ(run({}),
            "blur (b.cpp:3)\n"
            "  [1/45] unroll(2): 3.00x [2.90, 3.10], not accepted: 0.80x on w=515\n"
            "  [2/45] tile(64): 3.00x [2.90, 3.10] (journal)\n"
            "  something to know\n"
            "  tuned: 3.00x [2.90, 3.10]\n");
}

TEST_F(ConsoleTest, SaysWhichKernelEachLineIsAbout) {
  EXPECT_EQ(run({.trials = false, .prefix = "blur: "}),
            "blur: blur (b.cpp:3)\n"
            "blur:   something to know\n"
            "blur:   tuned: 3.00x [2.90, 3.10]\n");
}

Verdict not_accepted(Speedup whole, std::vector<ProblemMeasurement> problems = {}) {
  Verdict verdict;
  verdict.right = true;
  verdict.measurement.speedup = whole;
  verdict.measurement.problems = std::move(problems);
  if (verdict.measurement.problems.empty()) verdict.measurement.problems.push_back({.label = "n=1", .speedup = whole});
  return verdict;
}

TEST(Text, SaysWhyCandidateWasNotAccepted) {
  EXPECT_EQ(why_not_accepted(not_accepted({4.1, 4, 4.2}, {{.label = "n=512", .speedup = {8, 7.9, 8.1}},
                                                          {.label = "n=515", .speedup = {0.8, 0.79, 0.81}},
                                                          {.label = "n=7", .speedup = {0.9, 0.89, 0.91}}})),
            "0.80x on n=515");
  EXPECT_EQ(why_not_accepted(not_accepted({0.7, 0.69, 0.71})), "slower");
  EXPECT_EQ(why_not_accepted(not_accepted({1.001, 0.99, 1.01})), "not faster");
  EXPECT_EQ(why_not_accepted(not_accepted({1.1, 0.98, 1.2})), "not surely faster than 1.02x");
  Verdict noisy = not_accepted({1.1, 0.98, 1.2});
  noisy.measurement.noisy = true;
  EXPECT_EQ(why_not_accepted(noisy), "not surely faster than 1.02x; the machine was busy");
}

TEST(Text, NamesThreeCommonestFailuresOverAllKernels) {
  KernelResult blur{.name = "blur"}, scan{.name = "scan"};
  blur.failures = {{"wrong", "y[3] is 4", "y[] is ", 5, DiagnosticCode::result_wrong},
                   {"not allowed", "it calls 'rand'", "it calls ''", 2},
                   {"not accepted", "slower", "slower", 1}};
  scan.failures = {
      {"wrong", "y[8] is 1", "y[] is ", 1}, {"not accepted", "slower", "slower", 7}, {"did not compile", "", "", 1}};
  EXPECT_EQ(commonest_failures({blur, scan}),
            "17 candidates came to nothing; the commonest reasons:\n"
            "  8 not accepted: slower (blur and 1 more)\n"
            "  6 wrong: y[3] is 4 [hone-result-wrong] (blur and 1 more)\n"
            "  2 not allowed: it calls 'rand' (blur)\n");
  EXPECT_EQ(commonest_failures({KernelResult{.name = "blur"}}), "");
}

}  // namespace
}  // namespace hone::report
