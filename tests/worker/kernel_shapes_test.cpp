// Kernels of other shapes than one array in and one out: reductions, in-place, overlapping, structs, threads, file
// data.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Task;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int size = 5000;

// Any kernel over pointer and scalar parameters: `call` is the C++ expression that calls it with the slots s.
std::string unit(const std::string& body, const std::string& call, int n = size, int n_slot = 2) {
  return fmt::format(
      "#include <cmath>\n#include <cstring>\n{0}\n"
      "extern \"C\" void hone_call(void* const* s, void* r) {{ {1}; (void)r; }}\n"
      "extern \"C\" void hone_problem(unsigned, void* const* s) {{ *(int*)s[{3}] = {2}; }}\n"
      "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* d) {{ d[0] = i[0] = *(int*)s[{3}]; }}\n",
      body, call, n, n_slot);
}

KernelSpec spec_of(std::vector<Parameter> parameters) {
  KernelSpec spec = Saxpy::spec({size});
  spec.parameters = std::move(parameters);
  return spec;
}

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.05, 0.1};
  rule.shares = {};
  return rule;
}

Verdict judge_kernel(const KernelSpec& spec, const std::string& original, const std::string& candidate,
                     Task task = Task::candidate, bool sanitized = false) {
  return judge({.original = original,
                .candidate = candidate,
                .sanitized = sanitized,
                .task = task,
                .rule = quick(),
                .spec = spec});
}

struct Dot {
  static KernelSpec spec() {
    KernelSpec spec = spec_of({array("x", "float", Role::in, 0), array("y", "float", Role::in, 0), scalar("n", "int")});
    spec.result = element("float");
    return spec;
  }
  static std::string unit(const std::string& body) {
    return test::unit("float dot(const float* x, const float* y, int n) {" + body + "}",
                      "*(float*)r = dot((const float*)s[0], (const float*)s[1], *(int*)s[2])");
  }
  static std::string serial() { return unit("float s = 0; for (int i = 0; i < n; ++i) s += x[i] * y[i]; return s;"); }
};

TEST(KernelShapes, AcceptSumInOtherOrder) {
  const std::string lanes = Dot::unit(
      "float p[16] = {}; int i = 0; for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; ++k) p[k] += x[i + k] * y[i + "
      "k];"
      "float s = 0; for (float v : p) s += v; for (; i < n; ++i) s += x[i] * y[i]; return s;");
  for (int repeat = 0; repeat < 5; ++repeat) {  // whatever the seed makes of the cancellation
    const Verdict verdict = judge_kernel(Dot::spec(), Dot::serial(), lanes);
    EXPECT_TRUE(verdict.right) << verdict.reason;
  }
}

TEST(KernelShapes, RefuseSumWithoutLastElement) {
  const Verdict verdict =
      judge_kernel(Dot::spec(), Dot::serial(),
                   Dot::unit("float s = 0; for (int i = 0; i + 1 < n; ++i) s += x[i] * y[i]; return s;"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("the return value is "));
}

TEST(KernelShapes, AcceptReductionAsOriginal) {
  const Verdict verdict = judge_kernel(Dot::spec(), Dot::serial(), "", Task::reference, true);
  EXPECT_TRUE(verdict.right) << verdict.reason << verdict.detail;
}

struct InPlace {
  static KernelSpec spec() {
    return spec_of({array("x", "float", Role::in, 0), array("y", "float", Role::inout, 0), scalar("n", "int")});
  }
  static std::string unit(const std::string& body) {
    return test::unit("void add(const float* x, float* y, int n) {" + body + "}",
                      "add((const float*)s[0], (float*)s[1], *(int*)s[2])");
  }
};

TEST(KernelShapes, RestoreInoutsBeforeEachCall) {
  const std::string original =
      InPlace::unit("for (int i = 0; i < n; ++i) { y[i] += x[i] / 3; asm volatile(\"\" ::: \"memory\"); }");
  const Verdict right =
      judge_kernel(InPlace::spec(), original, InPlace::unit("for (int i = 0; i < n; ++i) y[i] = y[i] + x[i] / 3;"));
  EXPECT_TRUE(right.right) << right.reason;
  const Verdict wrong =
      judge_kernel(InPlace::spec(), original, InPlace::unit("for (int i = 0; i < n; ++i) y[i] = x[i] / 3;"));
  EXPECT_FALSE(wrong.right);
  EXPECT_THAT(wrong.reason, HasSubstr("expected"));
}

TEST(KernelShapes, TryOverlapOfAliasGroup) {
  KernelSpec spec = spec_of({array("x", "int", Role::in, 0), array("y", "int", Role::out, 0), scalar("n", "int")});
  const auto unit_of = [](const std::string& body) {
    return unit("void f(const int* x, int* y, int n) {" + body + "}", "f((const int*)s[0], (int*)s[1], *(int*)s[2])");
  };
  const std::string forward = unit_of("for (int i = 0; i < n; ++i) y[i] = x[i] + 1;");
  // Right where the two are apart, wrong where they are the same.
  const std::string careless = unit_of("memset(y, 0, n * 4ul); for (int i = 0; i < n; ++i) y[i] = x[i] + 1;");
  EXPECT_TRUE(judge_kernel(spec, forward, careless).right);
  spec.parameters[0].alias_group = spec.parameters[1].alias_group = 0;
  const Verdict verdict = judge_kernel(spec, forward, careless);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("overlapping arguments"));
}

TEST(KernelShapes, CompareStructsByField) {
  const ElementType body{"Body",
                         24,
                         8,
                         {{"position", {ScalarKind::floating, 4}, 0, 3},
                          {"id", {ScalarKind::signed_integer, 4}, 12, 1},
                          {"fixed", {ScalarKind::boolean, 1}, 16, 1}}};
  KernelSpec spec = spec_of({array("b", "float", Role::inout, 0), scalar("n", "int")});
  spec.parameters[0].element = body;
  spec.problems[0].assigned = {1};
  const auto unit_of = [](const std::string& step) {
    return unit(
        "struct alignas(8) Body { float position[3]; int id; bool fixed; };\nvoid move(Body* b, int n) { for (int i = "
        "0; i < n; ++i) {" +
            step + "} }",
        "move((Body*)s[0], *(int*)s[1])", size, 1);
  };
  const std::string original = unit_of("if (!b[i].fixed) b[i].position[1] += 1; b[i].id = i;");
  EXPECT_TRUE(judge_kernel(spec, original, unit_of("b[i].position[1] += b[i].fixed ? 0 : 1; b[i].id = i;")).right);
  const Verdict verdict =
      judge_kernel(spec, original, unit_of("if (!b[i].fixed) b[i].position[1] += 1; b[i].id = i + (i == 2);"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("b[2].id is 3, expected 2"));
}

TEST(KernelShapes, DrawIndexesWithinRange) {
  KernelSpec spec = spec_of({array("x", "float", Role::in, 0), array("y", "float", Role::out, 0), scalar("n", "int"),
                             array("at", "int", Role::in, 0)});
  spec.parameters[3].init = Init{Distribution::index, {1, 0}, ""};
  spec.expression_count = 2;
  std::string gather = unit(
      "void gather(const float* x, float* y, int n, const int* at) { for (int i = 0; i < n; ++i) y[i] = x[at[i]]; }",
      "gather((const float*)s[0], (float*)s[1], *(int*)s[2], (const int*)s[3])");
  gather.replace(gather.find("d[0] ="), 6, "d[1] = i[1] = 0; d[0] =");
  const Verdict verdict = judge_kernel(spec, gather, "", Task::reference, true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  spec.parameters[3].init.reset();
  EXPECT_THAT(judge_kernel(spec, gather, "", Task::reference).reason, HasSubstr("the original crashed"));
}

TEST(KernelShapes, AllowThreadsOnlyWhereDeclared) {
  KernelSpec spec = Saxpy::spec({size});
  const auto unit_of = [](const std::string& body) {
    return unit("#include <thread>\nvoid k(const float* x, float* y, int n) {" + body + "}",
                "k((const float*)s[0], (float*)s[1], *(int*)s[2])");
  };
  const std::string serial = unit_of("for (int i = 0; i < n; ++i) y[i] = x[i] + 1;");
  const std::string parallel = unit_of(
      "auto part = [=](int a, int b) { for (int i = a; i < b; ++i) y[i] = x[i] + 1; };"
      "std::thread t(part, 0, n / 2); part(n / 2, n); t.join();");
  EXPECT_FALSE(judge_kernel(spec, serial, parallel).right);
  spec.threads = 2;
  const Verdict verdict = judge_kernel(spec, serial, parallel);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.measurement.clock, "wall");
}

TEST(KernelShapes, SkipSizesThatOriginalCannotHandle) {
  KernelSpec spec = Saxpy::spec({4096});
  const auto unit_of = [](const std::string& body) {
    return unit("void k(const float* x, float* y, int n) {" + body + "}",
                "k((const float*)s[0], (float*)s[1], *(int*)s[2])", 4096);
  };
  const std::string by_eight =
      unit_of("for (int i = 0; i < n; i += 8) for (int k = 0; k < 8; ++k) y[i + k] = x[i + k] * 2;");
  const std::string by_four =
      unit_of("for (int i = 0; i < n; i += 4) for (int k = 0; k < 4; ++k) y[i + k] = x[i + k] * 2;");
  const Verdict verdict = judge_kernel(spec, by_eight, by_four);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(KernelShapes, RefuseWriteToElementThatOriginalLeavesUnwritten) {
  KernelSpec spec = Saxpy::spec({size});
  const auto unit_of = [](const std::string& body) {
    return unit("void k(const float* x, float* y, int n) {" + body + "}",
                "k((const float*)s[0], (float*)s[1], *(int*)s[2])");
  };
  const std::string inner = unit_of("for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i + 1];");
  EXPECT_TRUE(judge_kernel(spec, inner, inner).right);
  EXPECT_TRUE(judge_kernel(spec, inner, "", Task::reference, true).right);
  EXPECT_FALSE(judge_kernel(spec, inner,
                            unit_of("if (n > 0) y[0] = 0; for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i + 1];"))
                   .right);
}

}  // namespace
}  // namespace hone::test
