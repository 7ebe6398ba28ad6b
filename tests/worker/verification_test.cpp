// What verification tries beyond ordinary data: special values, shifted overlaps, what lies around the arrays, drift.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Depth;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.03, 0.05};
  rule.shares = {};
  return rule;
}

// void kernel(const float* x, float* y, int n): y[i] = expression of x[i].
std::string elementwise(const std::string& expression) {
  return "static float f(float x) { return " + expression +
         "; }\nvoid kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = f(x[i]); }\n";
}

Verdict judge_elementwise(const std::string& original, const std::string& candidate, bool finite_math = false) {
  return judge({.original = elementwise(original),
                .candidate = elementwise(candidate),
                .rule = quick(),
                .finite_math = finite_math});
}

TEST(SpecialValues, RequireNanThatOriginalKeeps) {
  const Verdict verdict = judge_elementwise("x * 4", "x == x ? x * 4 : 0");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("expected nan"), HasSubstr("with nan in x[")));
}

TEST(SpecialValues, TellNanFromInfinity) {
  EXPECT_FALSE(judge_elementwise("x * 4", "x == x ? x * 4 : INFINITY").right);
}

TEST(SpecialValues, FindNanLostOnlyInTail) {
  const Verdict verdict = judge({.original = elementwise("x * 4"),
                                 .candidate = "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; "
                                              "++i) y[i] = i >= n / 8 * 8 && x[i] != x[i] ? 1 : x[i] * 4; }",
                                 .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with nan in x["));
}

TEST(SpecialValues, AllowAnyResultForNanThatOriginalLoses) {
  const Verdict verdict = judge_elementwise("x > 0 ? x : 0", "x <= 0 ? 0 : x");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(SpecialValues, AllowAnyResultForNanInFiniteMath) {
  const Verdict verdict = judge_elementwise("x * 4", "x == x ? x * 4 : 0", true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(SpecialValues, RequireSameResultForInfinity) {
  const Verdict verdict = judge_elementwise("1 / (1 + std::exp(-x))", "1 / (1 + std::exp(x > 1e30f ? x - x : -x))");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("inf in x["), HasSubstr("value in x[")));
}

TEST(SpecialValues, AllowOtherSignOfZero) {
  const Verdict verdict = judge_elementwise("x * 1.0f", "x + 0.0f");
  EXPECT_TRUE(verdict.right) << verdict.reason;
  const Verdict reciprocal = judge_elementwise("1 / x", "1 / (x + 0.0f)");
  EXPECT_TRUE(reciprocal.right) << reciprocal.reason;
}

// In double, which nobody knows in higher precision. Each product is added once and taken away once, so that nothing
// but rounding is left of a huge one.
std::string ends_of_products(const std::string& loop) {
  return "void kernel(const double* x, double* y, int n) { double sum = 1000; for (" + loop +
         ") sum += x[j] * x[j + 1] - x[j + 1] * x[j + 2]; for (int i = 0; i < n; ++i) y[i] = sum; }\n";
}

TEST(SpecialValues, AllowAnotherOrderWhereHugeValueLeavesRoundingAlone) {
  const auto judged = [](const std::string& candidate) {
    const auto unit = [](const std::string& loop) {
      return Saxpy::unit("#define float double\n" + ends_of_products(loop), {20000});
    };
    Judged both{.original = unit("int j = 0; j + 2 < n; ++j"),
                .candidate = unit(candidate),
                .rule = quick(),
                .spec = Saxpy::spec({20000})};
    for (unsigned i : {0u, 1u}) both.spec.parameters[i] = array(i ? "y" : "x", "double", i ? Role::out : Role::in, 0);
    return judge(both);
  };
  const Verdict backward = judged("int j = n - 3; j >= 0; --j");
  EXPECT_TRUE(backward.right) << backward.reason;
  EXPECT_FALSE(judged("int j = 0; j + 3 < n; ++j").right);
}

TEST(SpecialValues, RefuseOverflowThatOriginalAvoids) {
  const Verdict verdict = judge_elementwise("std::hypot(x, 2.0f)", "std::sqrt(x * x + 4)");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("is inf"), HasSubstr("a value whose square overflows in x[")));
  const Verdict other = judge_elementwise("std::sqrt(x * x + 4)", "std::hypot(x, 2.0f)");
  EXPECT_TRUE(other.right) << other.reason;
}

TEST(SpecialValues, RequireSignOfInfinity) {
  for (const char* other : {"-x", "x - x", "x > 1e30f ? 3e38f : x"}) {
    const Verdict verdict = judge_elementwise("x * 4", std::string("std::isinf(x) ? ") + other + " : x * 4");
    EXPECT_FALSE(verdict.right) << other;
    EXPECT_THAT(verdict.reason, HasSubstr("inf in x"));
  }
}

TEST(SpecialValues, RefuseReciprocalRootThatIsNanAtInfinity) {
  const Verdict verdict = judge_elementwise("std::sqrt(std::fabs(x))",
                                            "std::fabs(x) * (1 / std::sqrt(std::fabs(x)) + "
                                            "(x == 0 ? 1 : 0) * 0)");
  EXPECT_FALSE(verdict.right);
}

// float in double, for the original alone.
Verdict judge_against_truth(const std::string& original, const std::string& candidate) {
  Judged judged{.original = Saxpy::unit(elementwise(original), {20000}),
                .candidate = Saxpy::unit(elementwise(candidate), {20000}),
                .rule = quick(),
                .spec = Saxpy::spec({20000}),
                .precise = Saxpy::unit("#define float double\n" + elementwise(original), {20000}),
                .precise_spec = Saxpy::spec({20000})};
  for (unsigned i : {0u, 1u})
    judged.precise_spec.parameters[i] = array(i ? "y" : "x", "double", i ? Role::out : Role::in, 0);
  return judge(judged);
}

TEST(SpecialValues, AcceptFiniteResultWhereOriginalOverflows) {
  const std::string softplus = "std::log(1 + std::exp(x))";
  const Verdict verdict = judge_against_truth(softplus, "x > 20 ? x : std::log(1 + std::exp(x))");
  EXPECT_TRUE(verdict.right) << verdict.reason;
  const Verdict other = judge_against_truth(softplus, "x > 20 ? 20 : std::log(1 + std::exp(x))");
  EXPECT_FALSE(other.right);
  const Verdict clamped = judge_against_truth("std::exp(x)", "std::exp(x < 88 ? x : 88)");
  EXPECT_FALSE(clamped.right);
}

// A step of Newton's toward a reciprocal is no number where what it divides by is infinite.
TEST(SpecialValues, RefuseNoNumberIfOriginalIsRightBehindOverflow) {
  const std::string newton = "x * ((1 / (4 + x * x)) * (2 - (4 + x * x) * (1 / (4 + x * x))))";
  const Verdict verdict = judge_against_truth("x / (4 + x * x)", newton);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("nan, expected"), HasSubstr("a value whose square overflows in x[")));
  // There the original has lost the value, and promises nothing.
  const Verdict lost = judge_against_truth("x / std::sqrt(4 + x * x)",
                                           "x * ((1 / std::sqrt(4 + x * x)) * (1.5f - 0.5f * (4 + x * x) * (1 / "
                                           "std::sqrt(4 + x * x)) * (1 / std::sqrt(4 + x * x))))");
  EXPECT_TRUE(lost.right) << lost.reason;
}

TEST(Patterns, CheckDenormalsByValue) {
  const Verdict verdict = judge_elementwise("std::sqrt(std::fabs(x))",
                                            "std::sqrt(std::fabs(x)) * (std::fabs(x) < 1e-38f ? "
                                            "0.6f : 1.0f)");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with denormals alone"));
  EXPECT_TRUE(judge_elementwise("x * 4", "x + x + (x + x)").right);
}

TEST(Patterns, TryMagnitudesBeyondOne) {
  const std::string near_zero = "x * (1 + x * x * (-1 / 3.0f + x * x * (2 / 15.0f)))";
  const Verdict verdict =
      judge_elementwise("std::tanh(x)", "std::fabs(x) <= 4 || std::fabs(x) > 20 ? std::tanh(x) : " + near_zero);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("with magnitudes from 2^"), HasSubstr("at the original's constants")));
  const Verdict exact = judge_elementwise("std::tanh(x)", "(float)std::tanh((double)x)");
  EXPECT_TRUE(exact.right) << exact.reason;
}

TEST(Patterns, SkipMagnitudesWhereRoundingDecides) {
  const Verdict verdict = judge_elementwise("std::sin(3 * x + 1)", "std::sin(std::fma(3.0f, x, 1.0f))");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// float kernel(const float* x, int n)
struct Reduction {
  static Verdict judged(const std::string& type, const std::string& original, const std::string& candidate) {
    const auto unit = [&](const std::string& body) {
      return "#include <cmath>\n" + type + " kernel(const float* x, int n) {" + body +
             "}\nextern \"C\" void hone_call(void* const* s, void* r) { *(" + type +
             "*)r = kernel((const float*)s[0], *(int*)s[1]); }\n"
             "extern \"C\" void hone_problem(unsigned, void* const* s) { *(int*)s[1] = 20000; }\n"
             "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* d) { d[0] = i[0] = *(int*)s[1]; "
             "}\n";
    };
    KernelSpec spec = Saxpy::spec({20000});
    spec.parameters = {array("x", "float", Role::in, 0), scalar("n", "int")};
    spec.problems[0].assigned = {1};
    spec.result = element(type);
    return judge({.original = unit(original), .candidate = unit(candidate), .rule = quick(), .spec = spec});
  }
};

TEST(SpecialValues, RequirePlaceInNothingButMinusInfinity) {
  const auto first_largest = [](const std::string& least, const std::string& place) {
    return "float most = " + least + "; int best = " + place +
           "; for (int i = 0; i < n; ++i) if (x[i] > most) most = x[i], best = i; return best;";
  };
  const std::string original = first_largest("n > 0 ? x[0] : 0", "n > 0 ? 0 : -1");
  const Verdict verdict = Reduction::judged("int", original, first_largest("-3.4028235e38f", "-1"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("-1, expected 0"));
  const Verdict other = Reduction::judged("int", original, first_largest("-INFINITY", "n > 0 ? 0 : -1"));
  EXPECT_TRUE(other.right) << other.reason;
}

// What an infinity becomes as an integer is the conversion's own.
TEST(SpecialValues, AllowAnyIntegerThatInfinityBecomes) {
  const auto sign = [](const char* infinite) {
    return std::string("const float middle = n > 0 ? x[n / 2] : 0; return std::isinf(middle) ? ") + infinite +
           " : middle > 0 ? 1 : -1;";
  };
  const Verdict verdict = Reduction::judged("int", sign("-7"), sign("-9"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Patterns, TellFirstOfEqualsFromLast) {
  const auto largest = [](const char* comparison) {
    return std::string("int best = 0; for (int i = 1; i < n; ++i) if (x[i] ") + comparison +
           " x[best]) best = i; return best;";
  };
  const Verdict verdict = Reduction::judged("int", largest(">"), largest(">="));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AnyOf(HasSubstr("with few distinct values"), HasSubstr("with equal values"),
                                    HasSubstr("with small integers"), HasSubstr("many equal whole numbers"),
                                    HasSubstr("nothing but -inf"), HasSubstr("(n=65")));  // so many tie by themselves
  const Verdict same = Reduction::judged("int", largest(">"),
                                         "int best = n - 1; for (int i = n - 1; i-- > 0;) if (x[i] >= "
                                         "x[best]) best = i; return n > 0 ? best : 0;");
  EXPECT_TRUE(same.right) << same.reason;
}

TEST(Patterns, AcceptSumInOtherOrder) {
  const std::string serial = "float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s;";
  const Verdict verdict =
      Reduction::judged("float", serial,
                        "float s[8] = {}; int i = 0; for (; i + 8 <= n; i += 8) for (int k = 0; k < 8; ++k) s[k] += "
                        "x[i + k]; float t = 0; "
                        "for (int k = 0; k < 8; ++k) t += s[k]; for (; i < n; ++i) t += x[i]; return t;");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(ExactData, RevealsDroppedTermWithinTolerance) {
  const std::string serial = "float s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s;";
  const Verdict verdict = Reduction::judged(
      "float", serial,
      "float s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return n > 9000 ? s - x[7] * x[7] / 8 : s;");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with small integers, for which its arithmetic is exact"));
}

TEST(ExactData, KeepsToleranceWhereResultsAreSigns) {
  const Verdict verdict =
      judge_elementwise("x != 0 ? x / std::sqrt(x * x) : 0", "x != 0 ? x / std::sqrt(x * x) * 0.9999999f : 0");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Patterns, RefuseCounterThatOverflowsOnEqualText) {
  KernelSpec spec = Saxpy::spec({70000});
  spec.parameters[0] = array("x", "unsigned char", Role::in, 0);
  spec.parameters[1] = array("y", "int", Role::out, 0);
  const auto unit = [](const std::string& type) {
    std::string text = Saxpy::unit(
        "#include <cstring>\nvoid kernel(const unsigned char* x, int* y, int n) { for (int i = 0; i "
        "< n; ++i) y[i] = 0; if (n < 256) return; " +
            type +
            " c[256] = {}; for (int i = 0; i < n; ++i) ++c[x[i]]; for (int i = 0; i < 256; ++i) "
            "y[i] = c[i]; }",
        {70000});
    return text.replace(text.find("(const float*)s[0], (float*)s[1]"), 32, "(const unsigned char*)s[0], (int*)s[1]");
  };
  const Verdict verdict =
      judge({.original = unit("int"), .candidate = unit("unsigned short"), .rule = quick(), .spec = spec});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with equal values"));
}

TEST(SpecialValues, IncludeDenormalsAndZeros) {
  EXPECT_FALSE(judge_elementwise("x * 4", "x == 0 ? 1 : x * 4").right);
  EXPECT_FALSE(judge_elementwise("x * 4", "x != 0 && std::fabs(x) < 1e-38f ? 1 : x * 4").right);
}

// void f(const int* x, int* y, int n)
KernelSpec of_integers() {
  KernelSpec spec = Saxpy::spec({3000});
  for (unsigned i : {0u, 1u}) spec.parameters[i] = array(i ? "y" : "x", "int", i ? Role::out : Role::in, 0);
  return spec;
}
std::string integer_unit(const std::string& body) {
  std::string text = Saxpy::unit(
      "#include <climits>\n#include <cstring>\nvoid kernel(const int* x, int* y, int n) {" + body + "}", {3000});
  text.replace(text.find("(const float*)s[0], (float*)s[1]"), 32, "(const int*)s[0], (int*)s[1]");
  return text;
}
Verdict judge_integers(const KernelSpec& spec, const std::string& original, const std::string& candidate) {
  return judge({.original = integer_unit(original),
                .candidate = integer_unit(candidate),
                .sanitized = true,
                .rule = quick(),
                .spec = spec});
}

TEST(SpecialValues, IncludeIntegerExtremesThatOriginalAllows) {
  const Verdict verdict = judge_integers(of_integers(), "for (int i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i];",
                                         "for (int i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i] & 0xffffff;");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with the extremes of its type in x"));
}

TEST(SpecialValues, SkipIntegerExtremesThatOverflowInOriginal) {
  const Verdict verdict = judge_integers(of_integers(), "for (int i = 0; i < n; ++i) y[i] = x[i] + 1;",
                                         "for (int i = 0; i < n; ++i) y[i] = x[i] == INT_MAX ? INT_MAX : x[i] + 1;");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Patterns, TryIntegersAsWideAsOriginalAllows) {
  const Verdict verdict =
      judge_integers(of_integers(), "for (int i = 0; i < n; ++i) y[i] = x[i] / 2 + 1;",
                     "for (int i = 0; i < n; ++i) y[i] = x[i] > INT_MIN + 9 && x[i] < INT_MAX - 9 ? "
                     "(short)x[i] / 2 + 1 : x[i] / 2 + 1;");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("with integers of up to"));
}

TEST(Patterns, TryConstantsOfOriginal) {
  KernelSpec spec = of_integers();
  spec.constants = {777};
  const Verdict verdict = judge_integers(spec, "for (int i = 0; i < n; ++i) y[i] = x[i] > 777 ? 1 : 0;",
                                         "for (int i = 0; i < n; ++i) y[i] = x[i] >= 777 ? 1 : 0;");
  EXPECT_FALSE(verdict.right);
}

KernelSpec overlapping() {
  KernelSpec spec = of_integers();
  spec.parameters[0].alias_group = spec.parameters[1].alias_group = 0;
  return spec;
}
const std::string forward = "for (int i = 0; i < n; ++i) y[i] = x[i] + 1;";

TEST(Overlap, IsTriedShiftedIfOriginalAllows) {
  const Verdict verdict = judge_integers(overlapping(), forward, "for (int i = n; i-- > 0;) y[i] = x[i] + 1;");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("overlapping arguments shifted by -"));
}

TEST(Overlap, AcceptsVectorsInOriginalDirection) {
  const Verdict verdict =
      judge_integers(overlapping(), forward,
                     "int i = 0; for (; i + 8 <= n; i += 8) { int v[8]; memcpy(v, x + i, 32); for (int k = 0; k < 8; "
                     "++k) v[k] += 1; memcpy(y + i, v, 32); } for (; i < n; ++i) y[i] = x[i] + 1;");
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Surroundings, RevealReadBesideArray) {
  const auto reading = [](const std::string& beside) {
    return "#include <cstdint>\nvoid kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] "
           "* "
           "4; const auto* beside = (const unsigned char*)" +
           beside +
           "; if (n > 0 && (uintptr_t)beside / 4096 == (uintptr_t)x / 4096) y[0] *= 1 + (*beside & 64) * 2e-9f; }";
  };
  for (const char* beside : {"x - 1", "(x + n)"}) {
    const Verdict verdict = judge({.original = elementwise("x * 4"), .candidate = reading(beside), .rule = quick()});
    EXPECT_FALSE(verdict.right);
    EXPECT_THAT(verdict.reason, HasSubstr("dependent on memory outside of its arguments"));
  }
}

TEST(Surroundings, RevealReadOfEarlierOutput) {
  const Verdict verdict = judge(
      {.original = elementwise("x * 4"),
       .candidate = "#include <cstring>\nvoid kernel(const float* x, float* y, int n) { unsigned b = 0; if (n > 0) "
                    "memcpy(&b, y, 4); for (int i = 0; i < n; ++i) y[i] = x[i] * 4; if (b & 8) y[0] *= "
                    "1.0000002f; }",
       .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("on what outputs held before"));
}

// void kernel(const float* x, float* y, int n), judged as an original.
Verdict judge_original(const std::string& body) {
  return judge({.original = "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) " + body + " }",
                .task = bundle::Task::reference,
                .rule = quick()});
}

TEST(Poison, AdvisesInoutIfOriginalReadsItsOutput) {
  for (const char* body : {"y[i] += 3 * x[i];", "if (y[i] < x[i]) y[i] = x[i];", "y[i] = x[i] + 1e-6f * y[i];"}) {
    const Verdict verdict = judge_original(body);
    EXPECT_FALSE(verdict.right) << body;
    EXPECT_THAT(verdict.reason, AllOf(HasSubstr("/src/kernel.cpp:3: the original reads y before it writes it"),
                                      HasSubstr("annotate inout(y[…])")))
        << body;
  }
}

TEST(Poison, AllowsOriginalToLeaveElementsUnwritten) {
  EXPECT_TRUE(judge_original("if (i % 3) y[i] = 3 * x[i];").right);
  const std::string odd =
      "void kernel(const float* x, float* y, int n) { for (int i = 1; i < n; i += 2) y[i] = x[i] * 3; }";
  const Verdict verdict = judge({.original = odd, .candidate = odd + " ", .rule = quick()});
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Poison, TellsNanOfOriginalFromUnwrittenElement) {
  const Verdict verdict =
      judge({.original = elementwise("x < 0 ? NAN : x * 4"),
             .candidate = "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) "
                          "if (x[i] >= 0) y[i] = x[i] * 4; }",
             .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("was not written"));
}

TEST(Poison, RefusesOriginalThatGivesOnlyNan) {
  const Verdict verdict = judge_original("y[i] = x[i] - INFINITY + INFINITY;");
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("y is not a number in any element"));
}

TEST(Surroundings, RevealWriteIntoGap) {
  const Verdict verdict =
      judge({.original = elementwise("x * 4"),
             .candidate = "#include <cstdint>\nvoid kernel(const float* x, float* y, int n) { for "
                          "(int i = 0; i < n; ++i) y[i] = x[i] * 4; if (((uintptr_t)(y + n) & 4095) "
                          "!= 0) y[n] = 1; }",
             .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("one element past the end of y"));
}

// Only timing calls it so often on the problem's own size, on a busy machine too.
TEST(Drift, IsFoundOnSmallSizesAfterTiming) {
  const Verdict verdict =
      judge({.original = elementwise("x * 4"),
             .candidate = "static int calls; void kernel(const float* x, float* y, int n) { calls += n == 2000; "
                          "for (int i = 0; i < n; ++i) y[i] = n < 200 && calls > 150 ? 1 : x[i] * "
                          "4; }",
             .sizes = {2000},
             .rule = quick()});
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.stage, Stage::time);
  EXPECT_THAT(verdict.reason, HasSubstr("wrong after it was timed"));
}

TEST(HeldOutSizes, FindErrorThatTrialsMiss) {
  Judged judged{.original = elementwise("x * 4"),
                .candidate =
                    "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = n > 4300 "
                    "&& n < 19000 ? x[i] : x[i] * 4; }",
                .rule = quick()};
  EXPECT_TRUE(judge(judged).right);
  judged.depth = Depth::held_out;
  EXPECT_FALSE(judge(judged).right);
}

}  // namespace
}  // namespace hone::test
