#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Task;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// Transcendental, so that there is something to gain, and slow enough to time.
const std::string original =
    "void kernel(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < 8; ++k) s = s + x[i] * 0.5f; y[i] = s; "
    "}\n"
    "}\n";
const std::string faster =
    "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * 4.0f; }\n";

// Looks that end soon, for verdicts that do not hang on the figures.
statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.05, 0.1};
  rule.shares = {};
  return rule;
}

Verdict wrong(const std::string& candidate) {
  return judge({.original = original, .candidate = candidate, .rule = quick()});
}

TEST(Judge, AcceptsRightAndFasterCandidate) {
  double seconds = 0;
  const Verdict verdict = judge({.original = original, .candidate = faster, .sanitized = true}, &seconds);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_TRUE(verdict.faster) << verdict.reason;
  EXPECT_EQ(verdict.stage, Stage::done);
  EXPECT_GT(verdict.measurement.speedup.low, 2);
  ASSERT_EQ(verdict.measurement.problems.size(), 1u);
  EXPECT_EQ(verdict.measurement.problems[0].label, "n=20000");
  EXPECT_FALSE(verdict.sandbox.empty());
  RecordProperty("seconds", std::to_string(seconds));
}

TEST(Judge, DoesNotCallIdenticalCandidateFaster) {
  const Verdict verdict = judge({.original = original, .candidate = original});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  EXPECT_EQ(verdict.stage, Stage::time);
}

TEST(Judge, ReportsFirstWrongElement) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = i == 4 ? 7 : x[i] * 4; }");
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::verify);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("y[4] is 7, expected"), HasSubstr("n=")));
}

TEST(Judge, RefusesReadPastEnd) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { volatile float s = 0; for (int i = 0; i <= n; ++i) s = x[i]; for "
      "(int i = 0; i < n; ++i) y[i] = x[i] * 4; }");
  EXPECT_THAT(verdict.reason, HasSubstr("crashed: SIGSEGV reading x["));
  EXPECT_THAT(verdict.reason, HasSubstr("one element past the end of x"));
}

TEST(Judge, RefusesReadBeforeStart) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { volatile float s = x[-1]; for (int i = 0; i < n; ++i) y[i] = "
      "x[i] * 4; }");
  EXPECT_THAT(verdict.reason, HasSubstr("reading x[-1] (one element before the start of x)"));
}

TEST(Judge, RefusesWritePastEnd) {
  const Verdict verdict =
      wrong("void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * 4; y[n] = 1; }");
  EXPECT_THAT(verdict.reason, HasSubstr("one element past the end of y"));
}

TEST(Judge, RefusesUnwrittenOutput) {
  const Verdict verdict =
      wrong("void kernel(const float* x, float* y, int n) { for (int i = 0; i + 3 < n; ++i) y[i] = x[i] * 4; }");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("was not written"));
}

TEST(Judge, RefusesWriteToInput) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) { y[i] = x[i] * 4; ((float*)x)[i] = "
      "0; } }");
  EXPECT_THAT(verdict.reason, HasSubstr("writing x[0] (an input, which is read-only)"));
}

TEST(Judge, RefusesNondeterministicCandidate) {
  const Verdict verdict = wrong(
      "static int calls; void kernel(const float* x, float* y, int n) { float e = (calls++ % 2) * 1e-7f; for (int i = "
      "0; i < n; ++i) y[i] = x[i] * (4 + 4 * e); }");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("not deterministic: y["));
}

TEST(Judge, StopsEndlessLoop) {
  const Verdict verdict =
      wrong("void kernel(const float* x, float* y, int n) { for (volatile int i = 0;; i = i + 1) y[0] = x[0]; }");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("did not end within"), HasSubstr("n=0")));
}

TEST(Judge, SurvivesCrash) {
  EXPECT_THAT(wrong("void kernel(const float*, float*, int) { abort(); }").reason, HasSubstr("crashed: SIGABRT"));
  EXPECT_THAT(wrong("void kernel(const float*, float*, int) { *(volatile int*)0 = 1; }").reason,
              HasSubstr("writing through a null pointer"));
  EXPECT_THAT(wrong("int f(volatile int* p, int n) { volatile int a[1000]; a[n & 7] = *p; return f(a, n + 1) + a[3]; "
                    "}\nvoid kernel(const float*, float* y, int n) { y[0] = f(&n, n); }")
                  .reason,
              HasSubstr("stack overflowed"));
}

TEST(Judge, SurvivesExit) {
  EXPECT_THAT(wrong("void kernel(const float*, float*, int) { exit(0); }").reason,
              HasSubstr("ended its process: exit(0)"));
  EXPECT_THAT(wrong("void kernel(const float*, float*, int) { _exit(42); }").reason, HasSubstr("exit(42)"));
}

TEST(Judge, SurvivesForkBomb) {
  const Verdict verdict = wrong("void kernel(const float*, float*, int) { for (;;) fork(); }");
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::verify);
}

TEST(Judge, SurvivesMegabytesOfOutput) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { for (int i = 0; i < 300000; ++i) { puts(\"noise noise noise "
      "noise\"); fputs(\"more noise\\n\", stderr); } for (int i = 0; i < n; ++i) y[i] = x[i] * 5; }");
  EXPECT_THAT(verdict.reason, HasSubstr("expected"));
}

TEST(Judge, SurvivesMemoryExhaustion) {
  const Verdict verdict = wrong(
      "void kernel(const float* x, float* y, int n) { std::vector<char*> all; for (;;) { all.push_back(new char[64 << "
      "20]); for (int i = 0; i < 64 << 20; i += 4096) all.back()[i] = 1; } }");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("memory"), HasSubstr("SIGABRT"), HasSubstr("did not end")));
}

TEST(Judge, ReportsWhyObjectDoesNotLoad) {
  const Verdict verdict = wrong("extern void nowhere(); void kernel(const float*, float*, int) { nowhere(); }");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("nowhere"));
}

TEST(Judge, FindsUndefinedBehaviorUnderSanitizers) {
  const Verdict verdict =
      judge({.original = original,
             .candidate = "void kernel(const float* x, float* y, int n) { int t[4] = {4, 4, 4, 4}; volatile int big = "
                          "2147483647; big = big + (n > 3); for (int i = 0; i < n; ++i) y[i] = x[i] * t[i & 3]; }",
             .sanitized = true,
             .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("under the sanitizers"), HasSubstr("signed integer overflow")));
}

TEST(Judge, FindsStackOverrunUnderSanitizers) {
  const Verdict verdict =
      judge({.original = original,
             .candidate = "void kernel(const float* x, float* y, int n) { float t[40]; volatile int at = n > 30 ? 40 : "
                          "0; t[at] = 1; for (int i = 0; i < n; ++i) y[i] = x[i] * 4; y[0] += 0 * t[at]; }",
             .sanitized = true,
             .rule = quick()});
  EXPECT_FALSE(verdict.right);
}

TEST(Judge, VerifiesOriginal) {
  const Verdict verdict =
      judge({.original = original, .sizes = {1000, 37}, .sanitized = true, .task = Task::reference});
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
  EXPECT_EQ(verdict.stage, Stage::done);
  EXPECT_EQ(verdict.measurement.problems.size(), 2u);
}

TEST(Judge, RefusesNondeterministicOriginal) {
  const Verdict verdict = judge(
      {.original = "#include <time.h>\nvoid kernel(const float* x, float* y, int n) { timespec t; "
                   "clock_gettime(CLOCK_MONOTONIC, &t); for (int i = 0; i < n; ++i) y[i] = x[i] + t.tv_nsec % 1009; }",
       .task = Task::reference});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("the original is not deterministic"));
}

TEST(Judge, RefusesOriginalThatReadsPastItsArray) {
  const Verdict verdict =
      judge({.original =
                 "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] + x[i + 1]; }",
             .task = Task::reference});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason,
              AllOf(HasSubstr("the original crashed"), HasSubstr("reading x[20000] (one element past the end of x)")));
}

TEST(Judge, RefusesOriginalWithUndefinedBehavior) {
  const Verdict verdict = judge({.original = "void kernel(const float* x, float* y, int n) { volatile int k = "
                                             "2147483647; k = k + 1; for (int i = 0; i < n; ++i) y[i] = x[i]; }",
                                 .sanitized = true,
                                 .task = Task::reference});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("the original"), HasSubstr("overflow")));
}

TEST(Judge, RefusesToleranceThatAcceptsZeros) {
  KernelSpec spec = Saxpy::spec({1000});
  spec.parameters[1].tolerance.atol = 100;
  const Verdict verdict = judge({.original = Saxpy::unit(faster, {1000}), .task = Task::reference, .spec = spec});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("the tolerance of y would accept all zeros"));
}

TEST(Judge, RefusesNegativeExtent) {
  const Verdict verdict = judge({.original = original, .sizes = {-5}, .task = Task::reference});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("/src/kernel.cpp:3"), HasSubstr("extent of x has length -5 for n=-5")));
}

TEST(Judge, RefusesProblemThatDoesNotFitInMemory) {
  KernelSpec spec = Saxpy::spec({2000000000});
  std::string unit = Saxpy::unit(original, {2000000000});
  unit.replace(unit.find("i[0] = *(int*)s[2]"), 18, "i[0] = *(int*)s[2] * 1000ll");
  const Verdict verdict = judge({.original = unit, .task = Task::reference, .spec = spec});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("GB"), HasSubstr("n=2000000000")));
}

TEST(Judge, RefusesCandidateThatIsWrongOnlyWhileTimed) {
  statistics::AcceptanceRule long_enough;  // for more calls than verification makes
  long_enough.looks = {0.6};
  long_enough.shares = {};
  const Verdict verdict = judge(
      {.original = original,
       .candidate = "static int calls; void kernel(const float* x, float* y, int n) { ++calls; for (int i = 0; i < "
                    "n; ++i) y[i] = calls > 2000 ? 0 : x[i] * 4; }",
       .sizes = {2000},
       .rule = long_enough});
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::time);
  EXPECT_THAT(verdict.reason, HasSubstr("right at first"));
}

TEST(Judge, MeasuresCandidateWithoutVerification) {
  const Verdict verdict = judge({.original = original, .candidate = faster, .task = Task::measure, .rule = quick()});
  EXPECT_TRUE(verdict.right && verdict.faster) << verdict.reason;
  EXPECT_FALSE(verdict.measurement.problems[0].reference_samples.empty());
}

TEST(Judge, VerifiesCandidateWithoutTiming) {
  const Verdict right = judge({.original = original, .candidate = faster, .task = Task::verify});
  EXPECT_TRUE(right.right && !right.faster) << right.reason;
  EXPECT_TRUE(right.measurement.problems.empty());
  const std::string empty = "void kernel(const float*, float*, int) {}\n";
  const Verdict wrong = judge({.original = original, .candidate = empty, .task = Task::verify});
  EXPECT_FALSE(wrong.right);
  EXPECT_EQ(wrong.stage, Stage::verify);
}

// One multiplication an element and its way through a loop, which is vectorized at will.
TEST(Judge, CountsInstructionsOfOneCall) {
  const bundle::Answer verdict = judge({.original = original, .candidate = faster, .task = Task::count});
  if (verdict.reason.find("valgrind is not installed") != std::string::npos) GTEST_SKIP() << verdict.reason;
  EXPECT_EQ(verdict.reason, "counted only") << verdict.detail;
  ASSERT_TRUE(verdict.counts);
  EXPECT_THAT(verdict.counts->instructions, AllOf(testing::Gt(20000 / 16), testing::Lt(20 * 20000)));
}

}  // namespace
}  // namespace hone::test
