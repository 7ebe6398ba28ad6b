// What could be gained by knowing how the judge times: through the real worker, with candidates that try.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

evaluate::AcceptanceRule one_look(double seconds) {
  evaluate::AcceptanceRule rule;
  rule.looks = {seconds};
  rule.shares = {};
  return rule;
}

// Slow for its size, so that whoever leaves out calls gains, and small, so that many calls make a sample.
const std::string slow =
    "static void work(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < 8; ++k) s = s + x[i] * 0.5f; y[i] = s; "
    "}\n"
    "}\n";
const std::string original = slow + "void kernel(const float* x, float* y, int n) { work(x, y, n); }\n";

// Right wherever a call finds the data as its last call on the same memory left them. Were a slot called twice in a
// batch, nearly all calls could be left out, and no comparison would show it.
TEST(TimingCheats, NothingIsGainedByRememberingWhatTheMemoryHeld) {
  const std::string remembering =
      "#include <cstring>\n#include <map>\n" + slow +
      "static const float* last[4096]; static float in[4096][8], out[4096][8];\n"
      "void kernel(const float* x, float* y, int n) {\n"
      "  if (n > 8) return work(x, y, n);\n"
      "  const unsigned at = (unsigned)((unsigned long)y / 64 % 4096);\n"
      "  if (last[at] == y && !memcmp(in[at], x, 4 * n) && !memcmp(out[at], y, 4 * n)) return;\n"
      "  work(x, y, n); last[at] = y; memcpy(in[at], x, 4 * n); memcpy(out[at], y, 4 * n);\n"
      "}\n";
  const Verdict verdict = judge({.original = original, .candidate = remembering, .sizes = {8}, .rule = one_look(0.3)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
}

TEST(TimingCheats, CallsInTheMiddleOfABatchAreLookedAt) {
  const std::string skipping =
      slow +
      "static long calls;\n"
      "void kernel(const float* x, float* y, int n) { if (++calls < 3000 || calls % 4) work(x, y, n); }\n";
  const Verdict verdict = judge({.original = original, .candidate = skipping, .sizes = {8}, .rule = one_look(0.3)});
  EXPECT_FALSE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.stage, Stage::time);
  EXPECT_THAT(verdict.reason, HasSubstr("wrong while timed"));
}

// float kernel(const float* x, int n): every call's return value is an output like another.
TEST(TimingCheats, ReturnValuesInTheMiddleOfABatchAreLookedAt) {
  KernelSpec spec = Saxpy::spec({16});
  spec.parameters = {array("x", "float", Role::in, 0), scalar("n", "int")};
  spec.problems = {{{1}, 1}};
  spec.result = element("float");
  const std::string harness =
      "\nextern \"C\" void hone_call(void* const* s, void* r) { *(float*)r = kernel((const float*)s[0], *(int*)s[1]); "
      "}\n"
      "extern \"C\" void hone_problem(unsigned, void* const* s) { *(int*)s[1] = 16; }\n"
      "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) { i[0] = *(int*)s[1]; r[0] = i[0]; }\n";
  const std::string sum =
      "static float sum(const float* x, int n) { volatile float s = 0; for (int i = 0; i < n; ++i) s = s + x[i]; "
      "return s; }\n";
  const std::string whole = sum + "static float kernel(const float* x, int n) { return sum(x, n); }" + harness;
  const std::string skipping = sum +
                               "static long calls; static float kernel(const float* x, int n) { return ++calls < 4000 "
                               "|| calls % 4 ? sum(x, n) : 7e5f; }" +
                               harness;
  const Verdict right = judge({.original = whole, .candidate = whole, .rule = one_look(0.1), .spec = spec});
  EXPECT_TRUE(right.right) << right.reason;
  const Verdict verdict = judge({.original = whole, .candidate = skipping, .rule = one_look(0.3), .spec = spec});
  EXPECT_FALSE(verdict.right) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("wrong while timed: the return value is"));
}

// A tenth of all time, also while the original is timed.
TEST(TimingCheats, WorkBesideTheCallsIsChargedOrRefused) {
  const std::string late = "#include <signal.h>\n#include <sys/time.h>\n" + slow +
                           "static void burn(int) { for (volatile int i = 0; i < 40000; i = i + 1) {} }\n"
                           "static void start() {\n"
                           "  struct sigaction action{}; action.sa_handler = burn; action.sa_flags = SA_RESTART;\n"
                           "  sigaction(SIGALRM, &action, nullptr);\n"
                           "  const itimerval every{{0, 2000}, {0, 2000}}; setitimer(ITIMER_REAL, &every, nullptr);\n"
                           "}\n"
                           "void kernel(const float* x, float* y, int n) { static bool once = (start(), true); "
                           "(void)once; work(x, y, n); }\n";
  const Verdict verdict = judge({.original = original, .candidate = late, .rule = one_look(0.5)});
  if (verdict.measurement.noisy) GTEST_SKIP() << "the machine is too busy to tell: " << verdict.reason;
  EXPECT_FALSE(verdict.faster) << verdict.reason;
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("for work beside its calls"), HasSubstr("works while it is not timed")));
}

TEST(TimingCheats, AnHonestCandidateIsChargedNothing) {
  const Verdict verdict = judge({.original = original, .candidate = original, .rule = one_look(0.3)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_THAT(verdict.reason, Not(HasSubstr("works while")));
}

TEST(TimingCheats, ACandidateThatKeepsTheSanitizersOutIsRefused) {
  const std::string hiding =
      "#if defined(__SANITIZE_ADDRESS__)\n__attribute__((constructor)) static void hide() { _exit(0); }\n#endif\n" +
      original;
  const Verdict verdict = judge({.original = original, .candidate = hiding, .sanitized = true, .rule = one_look(0.1)});
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::verify);
  EXPECT_THAT(verdict.reason, HasSubstr("under the sanitizers, where the original loads"));
}

// Half of its calls take a third of the original's time, half three times as long: nobody can tell, and that is said.
TEST(TimingCheats, WhatIsTooNoisyToDecideIsNotCalledSlower) {
  const std::string steady =
      "static void work(const float* x, float* y, int n, int rounds) {\n"
      "  for (int i = 0; i < n; ++i) { volatile float s = 0; for (int k = 0; k < rounds; ++k) s = x[i] * 0.5f; y[i] = "
      "s; "
      "}\n"
      "}\n";
  const Verdict verdict =
      judge({.original = steady + "void kernel(const float* x, float* y, int n) { work(x, y, n, 60); }",
             .candidate = steady +
                          "static int calls; void kernel(const float* x, float* y, int n) { work(x, y, n, ++calls & 1 "
                          "? 20 : 180); }",
             .rule = one_look(0.5)});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.faster);
  EXPECT_THAT(verdict.reason, HasSubstr("undecided: "));
  EXPECT_THAT(verdict.reason, HasSubstr("the machine is too noisy (CPU/wall "));
}

}  // namespace
}  // namespace hone::test
