// May the tolerance be believed? Forgeries put before the oracle, and errors weighed against a more precise original.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Task;
using ::testing::AllOf;
using ::testing::HasSubstr;

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.03, 0.05};
  rule.shares = {};
  return rule;
}

// kernel(const IN* x, OUT* y, int n)
struct Kernel {
  std::string in = "float", out = "float", body;
  Tolerance tolerance{};
  int size = 2000;
  std::optional<Init> init{};

  KernelSpec spec() const {
    KernelSpec spec = Saxpy::spec({size});
    spec.parameters = {array("x", in, Role::in, 0), array("y", out, Role::out, 0), scalar("n", "int")};
    spec.parameters[0].init = init;
    spec.parameters[1].tolerance = tolerance;
    return spec;
  }
  std::string unit() const {
    std::string text = Saxpy::unit("#include <algorithm>\n#include <cstring>\nvoid kernel(const " + in + "* x, " + out +
                                       "* y, int n) {" + body + "}",
                                   {size});
    const std::string cast = "(const float*)s[0], (float*)s[1]";
    return text.replace(text.find(cast), cast.size(), "(const " + in + "*)s[0], (" + out + "*)s[1]");
  }
};

Verdict judge_original(const Kernel& kernel) {
  return judge({.original = kernel.unit(), .task = Task::reference, .spec = kernel.spec()});
}

const std::string each = "for (int i = 0; i < n; ++i) ";

TEST(ToleranceProof, RefusesWideRtolAndSuggestsBound) {
  const Verdict verdict = judge_original({.body = each + "y[i] = x[i] * 4 + 2;", .tolerance = {.rtol = 0.5}});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("the tolerance of y would accept"), HasSubstr("an rtol of at most 0.")));
}

TEST(ToleranceProof, RefusesToleranceThatAcceptsCopyOfInput) {
  const Verdict verdict = judge_original({.body = each + "y[i] = x[i] * 1.000004f;"});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("the tolerance of y would accept a copy of x"),
                                    HasSubstr("an rtol of at most 4e-06 would reject that")));
  EXPECT_TRUE(judge_original({.body = each + "y[i] = x[i] * 1.000004f;", .tolerance = {.rtol = 3e-6}}).right);
}

TEST(ToleranceProof, RefusesToleranceThatAcceptsSlightError) {
  const Verdict verdict = judge_original({.body = each + "y[i] = x[i] * 4;", .tolerance = {.rtol = 0.3}});
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("would accept one element that is a fifth too large"));
}

TEST(ToleranceProof, AcceptsSensibleTolerances) {
  const Kernel sensible[] = {
      {.in = "int", .out = "int", .body = each + "y[i] = 0; " + each + "++y[x[i] & 3];"},
      {.body = each + "y[i] = x[i] > 0 ? x[i] : 0;"},
      {.body = each + "y[i] = x[i];"},
      {.body = "std::copy(x, x + n, y); std::sort(y, y + n);"},
      {.body = each + "y[i] = x[n - 1 - i];"},
      {.out = "bool", .body = each + "y[i] = x[i] > 0.5f;"},
      {.out = "unsigned char", .body = each + "y[i] = (unsigned char)std::min(std::max(x[i] * 400, 0.0f), 255.0f);"},
      {.in = "unsigned char", .out = "unsigned char", .body = each + "y[i] = x[i] > 3 ? 255 : 0;"},
      {.body = "float s = 0; " + each + "{ s += x[i]; y[i] = s; }"},
      {.body = each + "y[i] = x[i] * 3;", .tolerance = {.rtol = 0.05}},
      {.body = each + "y[i] = x[i] * 3;", .tolerance = {.exact = true}},
      {.body = each + "y[i] = x[i] * 3;", .tolerance = {.ulp = 4}},
      {.in = "double", .out = "double", .body = each + "y[i] = std::exp(x[i] * 8);"},
  };
  for (const Kernel& kernel : sensible) {
    const Verdict verdict = judge_original(kernel);
    EXPECT_TRUE(verdict.right) << kernel.body << ": " << verdict.reason;
  }
}

// float sum(const float* x, int n), of positive numbers; or of doubles.
struct Sum {
  static KernelSpec spec(const std::string& type) {
    KernelSpec spec = Saxpy::spec({300000});
    spec.parameters = {array("x", type, Role::in, 0), scalar("n", "int")};
    spec.parameters[0].init = Init{Distribution::uniform, {1, 2}, ""};
    spec.problems[0].assigned = {1};
    spec.expression_count = 3;
    spec.result = element(type);
    spec.result_tolerance.rtol = 2e-6;
    return spec;
  }
  static std::string unit(const std::string& type, const std::string& body) {
    return fmt::format(
        "{0} sum(const {0}* x, int n) {{ {1} }}\n"
        "extern \"C\" void hone_call(void* const* s, void* r) {{ *({0}*)r = sum((const {0}*)s[0], *(int*)s[1]); }}\n"
        "extern \"C\" void hone_problem(unsigned, void* const* s) {{ *(int*)s[1] = 300000; }}\n"
        "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* d) {{ d[0] = i[0] = *(int*)s[1]; d[1] = "
        "0.1; d[2] = 1.1; }}\n",
        type, body);
  }
  static Judged judged(const std::string& candidate) {
    const std::string serial = " s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s;";
    return {.original = unit("float", "float" + serial),
            .candidate = unit("float", candidate),
            .rule = quick(),
            .spec = spec("float"),
            .precise = unit("double", "double" + serial),
            .precise_spec = spec("double")};
  }
};

TEST(DoubleReference, ExcusesCandidateMoreExactThanOriginal) {
  Judged judged = Sum::judged("double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return (float)s;");
  const Verdict verdict = judge(judged);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  judged.precise.clear();
  EXPECT_FALSE(judge(judged).right);
}

TEST(DoubleReference, RefusesCandidateLessExactThanOriginal) {
  const Verdict verdict = judge(
      Sum::judged("double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return (float)(s * (n > 1000 ? 1.003 : 1));"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("the return value is "));
}

TEST(DoubleReference, ReportsShareOfToleranceUsed) {
  // Not exact on small integers: there equality would be demanded.
  Kernel original{.body = each + "y[i] = x[i] * 4.1f;", .tolerance = {.rtol = 1e-5}};
  Kernel off = original, precise = original;
  off.body = each + "y[i] = x[i] * 4.1000328f;";
  precise.in = precise.out = "double";
  const Verdict verdict = judge({.original = original.unit(),
                                 .candidate = off.unit(),
                                 .rule = quick(),
                                 .spec = original.spec(),
                                 .precise = precise.unit(),
                                 .precise_spec = precise.spec()});
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_NEAR(verdict.tolerance_used, 0.8, 0.05);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("its worst error is 0.8"), HasSubstr("the original's own")));
}

}  // namespace
}  // namespace hone::test
