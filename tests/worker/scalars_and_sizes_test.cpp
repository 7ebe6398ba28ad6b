// What verification varies of a call beside its data: scalars that are no sizes, sizes, empty extents, where arrays
// lie.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"

namespace hone::test {
namespace {

using bundle::Depth;
using bundle::Task;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

statistics::AcceptanceRule quick() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.03, 0.05};
  rule.shares = {};
  return rule;
}

// void kernel(const float* x, float* y, int n, T a): one problem, n = 5000 and a as declared.
struct Scaled {
  std::string type = "float", declared = "2.0f";
  bool fixed = false;

  KernelSpec spec() const {
    KernelSpec spec = Saxpy::spec({5000});
    spec.parameters.push_back(scalar("a", type));
    spec.parameters.back().fixed = fixed;
    spec.problems[0].assigned = {2, 3};
    return spec;
  }
  std::string unit(const std::string& body) const {
    return fmt::format(
        "#include <cmath>\nvoid kernel(const float* x, float* y, int n, {0} a) {{ {1} }}\n"
        "extern \"C\" void hone_call(void* const* s, void*) {{ kernel((const float*)s[0], (float*)s[1], *(int*)s[2], "
        "*({0}*)s[3]); }}\n"
        "extern \"C\" void hone_problem(unsigned, void* const* s) {{ *(int*)s[2] = 5000; *({0}*)s[3] = {2}; }}\n"
        "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) {{ r[0] = i[0] = *(int*)s[2]; }}\n",
        type, body, declared);
  }
  Verdict judge(const std::string& original, const std::string& candidate, bool sanitized = false) const {
    return test::judge({.original = unit(original),
                        .candidate = unit(candidate),
                        .sanitized = sanitized,
                        .rule = quick(),
                        .spec = spec()});
  }
};

std::string each(const std::string& value) {
  return "for (int i = 0; i < n; ++i) y[i] = " + value + ";";
}

TEST(Scalars, RefuseHardCodedValue) {
  const Verdict verdict = Scaled().judge(each("a * x[i]"), each("2.0f * x[i]"));
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("expected"), HasSubstr("a=")));
}

TEST(Scalars, RefuseValueHardCodedForDeclaredSize) {
  EXPECT_FALSE(Scaled().judge(each("a * x[i]"), "if (n == 5000) a = 2.0f; " + each("a * x[i]")).right);
}

TEST(Scalars, AcceptSpecialCaseWithFallback) {
  const Verdict verdict =
      Scaled().judge(each("a * x[i]"), "if (a == 2.0f) " + each("x[i] + x[i]") + " else " + each("a * x[i]"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Scalars, TryZeroAndOtherSign) {
  EXPECT_FALSE(Scaled().judge(each("a + x[i]"), each("a == 0 ? 1 + x[i] : a + x[i]")).right);
  EXPECT_FALSE(Scaled().judge(each("a * x[i]"), each("std::fabs(a) * x[i]")).right);
}

TEST(Scalars, KeepValueOfFixedScalar) {
  const Verdict verdict = Scaled{.fixed = true}.judge(each("a * x[i]"), each("2.0f * x[i]"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Scalars, SkipValuesForWhichOriginalGivesNan) {
  const Verdict verdict = Scaled().judge(each("x[i] / a"), each("a == 0 ? 0 : x[i] / a"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// Near its poles a quotient holds no digits: nothing of the kind may be asked of another order of operations.
TEST(Scalars, SkipValuesNearPoleOfOriginal) {
  const Verdict verdict =
      Scaled{.declared = "0.75f"}.judge(each("x[i] / (a + x[i] * x[i])"), each("x[i] / std::fma(x[i], x[i], a)"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Scalars, VaryIntegersThatAreNotSizes) {
  const Scaled scaled{.type = "int", .declared = "77"};
  EXPECT_FALSE(scaled.judge(each("x[i] * a"), each("x[i] * 77")).right);
  EXPECT_FALSE(scaled.judge(each("x[i] + a"), each("x[i] + (a < 0 ? -a : a)")).right);
  EXPECT_FALSE(scaled.judge(each("x[i] + a"), each("x[i] + (unsigned short)a"), true).right) << "beyond 16 bits";
}

TEST(Scalars, SkipIntegersForWhichOriginalIsUndefined) {
  const Scaled scaled{.type = "int", .declared = "3"};
  const Verdict verdict = scaled.judge(each("(float)((int)std::fabs(x[i] * 100) << a)"),
                                       each("a < 0 || a > 20 ? 7 : (float)((int)std::fabs(x[i] * 100) << a)"), true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Scalars, BoundLoopCounts) {
  const Verdict verdict =
      Scaled{.type = "int", .declared = "3"}.judge(each("x[i]") +
                                                       "for (int k = 0; k < a; ++k) for (int i = 0; i < n; ++i) { y[i] "
                                                       "*= 0.5f; asm volatile(\"\" ::: \"memory\"); }",
                                                   each("a > 0 ? std::ldexp(x[i], -a) : x[i]"), true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// y[i] = x[i] * 4, as `value` has it, on 5000 elements in the declared problem.
Verdict judge_sizes(const std::string& candidate, Depth depth = Depth::trial) {
  const auto kernel = [](const std::string& body) {
    return "#include <cstring>\nvoid kernel(const float* x, float* y, int n) {" + body + "}\n";
  };
  return judge({.original = kernel("for (int i = 0; i < n; ++i) y[i] = x[i] * 4;"),
                .candidate = kernel(candidate),
                .sizes = {5000},
                .rule = quick(),
                .depth = depth});
}
const std::string plain = "for (int i = 0; i < n; ++i) y[i] = x[i] * 4;";

TEST(Sizes, TryEachRemainderModulo64) {
  for (const int residue : {9, 23, 42, 51, 63}) {
    const Verdict verdict =
        judge_sizes(plain + fmt::format("if (n > 0 && n % 64 == {}) y[n - 1] = x[n - 1];", residue), Depth::thorough);
    EXPECT_FALSE(verdict.right) << residue;
  }
}

TEST(Sizes, ExceedDeclaredSize) {
  EXPECT_FALSE(judge_sizes("float row[8192]; if (n <= 8192) {" + plain + "}").right)
      << "a buffer for the declared size";
  EXPECT_FALSE(judge_sizes("for (unsigned short i = 0; i < (unsigned short)n; ++i) y[i] = x[i] * 4;").right)
      << "a counter of 16 bits";
  const Verdict right = judge_sizes(
      "long i = 0; for (; i + 4 <= n; i += 4) for (long k = i; k < i + 4; ++k) y[k] = x[k] "
      "* 4; for (; i < n; ++i) y[i] = x[i] * 4;");
  EXPECT_TRUE(right.right) << right.reason;
}

TEST(Sizes, ReachSixteenTimesDeclaredInThoroughDepth) {
  const std::string wrong = plain + "if (n > 75000) y[n - 1] = x[n - 1];";
  EXPECT_FALSE(judge_sizes(wrong, Depth::thorough).right);
}

// Row sums of a[0:h][0:w]; w = h = 300 in the declared problem.
struct Rows {
  static KernelSpec spec() {
    KernelSpec spec = Saxpy::spec({300});
    spec.parameters = {array("a", "float", Role::in, 0), array("s", "float", Role::out, 0), scalar("w", "int"),
                       scalar("h", "int")};
    spec.parameters[0].extent = {{std::nullopt, 0}, {std::nullopt, 1}};
    spec.problems[0].assigned = {2, 3};
    spec.expression_count = 2;
    return spec;
  }
  static std::string unit(const std::string& body) {
    return "void rows(const float* a, float* s, int w, int h) {" + body +
           "}\n"
           "extern \"C\" void hone_call(void* const* s, void*) { rows((const float*)s[0], (float*)s[1], *(int*)s[2], "
           "*(int*)s[3]); }\n"
           "extern \"C\" void hone_problem(unsigned, void* const* s) { *(int*)s[2] = *(int*)s[3] = 300; }\n"
           "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) { r[0] = i[0] = *(int*)s[3]; "
           "r[1] = i[1] = *(int*)s[2]; }\n";
  }
  static Verdict judge(const std::string& body) {
    const std::string original =
        "for (int r = 0; r < h; ++r) { s[r] = 0; for (int c = 0; c < w; ++c) s[r] += a[r * w + c]; }";
    return test::judge({.original = unit(original), .candidate = unit(body), .rule = quick(), .spec = spec()});
  }
};

TEST(Sizes, TryTallAndWideShapes) {
  const auto only = [](const std::string& condition) {
    return "if (" + condition +
           ") for (int r = 0; r < h; ++r) { float t = 0; for (int c = 0; c < w; ++c) t += a[r * w + c]; s[r] = t; }";
  };
  EXPECT_FALSE(Rows::judge(only("w <= 512")).right) << "a row buffer of 512";
  EXPECT_FALSE(Rows::judge(only("h <= 1024")).right);
  const Verdict verdict = Rows::judge(only("true"));
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// A row of 65,600 beside a few others is no more work than 300 by 300. Nobody knows the original in double here.
TEST(Sizes, AllowTwentiethAlongRowThatGrewAlone) {
  const auto off_by = [](const std::string& factor) {
    return "for (int r = 0; r < h; ++r) { float t = 0; for (int c = 0; c < w; ++c) t += a[r * w + c]; s[r] = w > 60000 "
           "? t * " +
           factor + " : t; }";
  };
  const Verdict near = Rows::judge(off_by("1.01f"));
  EXPECT_TRUE(near.right) << near.reason;
  EXPECT_FALSE(Rows::judge(off_by("2")).right) << "however many elements there are";
}

// void stencil(const float* x, float* y, int n), out(y[1:n-2])
Verdict judge_stencil(const std::string& candidate) {
  KernelSpec spec = Saxpy::spec({5000});
  spec.parameters[1].extent = {{1u, 2u}};
  spec.expression_count = 3;
  const auto unit = [](const std::string& body) {
    return "void stencil(const float* x, float* y, int n) {" + body +
           "}\n"
           "extern \"C\" void hone_call(void* const* s, void*) { stencil((const float*)s[0], (float*)s[1], "
           "*(int*)s[2]); "
           "}\n"
           "extern \"C\" void hone_problem(unsigned, void* const* s) { *(int*)s[2] = 5000; }\n"
           "extern \"C\" void hone_evaluate(void* const* s, long long* i, double* r) { const int n = *(int*)s[2]; r[0] "
           "= "
           "i[0] = n; r[1] = i[1] = 1; r[2] = i[2] = n - 2; }\n";
  };
  return judge({.original = unit("for (int i = 1; i + 1 < n; ++i) y[i] = x[i - 1] + x[i + 1];"),
                .candidate = unit(candidate),
                .rule = quick(),
                .spec = spec});
}

TEST(EmptyExtents, AreTriedIfOriginalTouchesNothing) {
  const Verdict wrong = judge_stencil("int i = 1; do y[i] = x[i - 1] + x[i + 1]; while (++i + 1 < n);");
  EXPECT_FALSE(wrong.right);
  const Verdict peeks = judge_stencil(
      "volatile float first = x[0]; (void)first; for (int i = 1; i + 1 < n; ++i) y[i] = x[i - 1] + x[i + 1];");
  EXPECT_FALSE(peeks.right);
  EXPECT_THAT(peeks.reason, AllOf(HasSubstr("reading x[0]"), HasSubstr("n=0")));
  const Verdict underflow =
      judge_stencil("for (unsigned i = 1; i <= (unsigned)(n - 2); ++i) y[i] = x[i - 1] + x[i + 1];");
  EXPECT_FALSE(underflow.right) << "n - 2 wraps";
  const Verdict right = judge_stencil("for (int i = n - 2; i >= 1; --i) y[i] = x[i - 1] + x[i + 1];");
  EXPECT_TRUE(right.right) << right.reason;
}

#if defined(__x86_64__)
const std::string aligned =
    "int i = 0; for (; i + 4 <= n; i += 4) _mm_store_ps(y + i, _mm_mul_ps(_mm_load_ps(x + i), _mm_set1_ps(4))); for (; "
    "i "
    "< n; ++i) y[i] = x[i] * 4;";

Verdict judge_vectors(const std::string& candidate, const std::string& original, bool sanitized = false) {
  const auto kernel = [](const std::string& body) {
    return "#include <cstdint>\n#include <immintrin.h>\nvoid kernel(const float* x, float* y, int n) {" + body + "}\n";
  };
  return judge({.original = kernel(original),
                .candidate = kernel(candidate),
                .sizes = {4096},
                .sanitized = sanitized,
                .rule = quick()});
}

TEST(Alignment, ReportsMisalignedAccess) {
  const Verdict verdict = judge_vectors(aligned, plain);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("by a misaligned access"));
}

TEST(Alignment, VariesIndependentlyForEachArray) {
  const std::string peels =
      "int i = 0; for (; i < n && (uintptr_t)(x + i) % 16; ++i) y[i] = x[i] * 4; for (; i + 4 <= n; i "
      "+= 4) _mm_store_ps(y + i, _mm_mul_ps(_mm_load_ps(x + i), _mm_set1_ps(4))); for (; i < n; ++i) y[i] = x[i] * 4;";
  EXPECT_FALSE(judge_vectors(peels, plain).right);
}

TEST(Alignment, AcceptsUnalignedLoadsAndCheckedAlignment) {
  const std::string unaligned =
      "int i = 0; for (; i + 4 <= n; i += 4) _mm_storeu_ps(y + i, _mm_mul_ps(_mm_loadu_ps(x + i), _mm_set1_ps(4))); "
      "for "
      "(; i < n; ++i) y[i] = x[i] * 4;";
  const Verdict verdict = judge_vectors(unaligned, plain, true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  const Verdict checked =
      judge_vectors("if (((uintptr_t)x | (uintptr_t)y) % 16 == 0) {" + aligned + "} else {" + plain + "}", plain, true);
  EXPECT_TRUE(checked.right) << checked.reason;
}

TEST(Alignment, AcceptsAlignedLoadsIfOriginalHasThem) {
  const Verdict verdict = judge_vectors(
      "int i = 0; for (; i + 4 <= n; i += 4) _mm_store_ps(y + i, _mm_mul_ps(_mm_set1_ps(4), _mm_load_ps(x + i))); for "
      "(; i "
      "< n; ++i) y[i] = x[i] * 4;",
      aligned, true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Alignment, TakesOriginalsThatWantMoreThanMallocGives) {
  const std::string body =
      "const float* p = (const float*)__builtin_assume_aligned(x, 64); for (int i = 0; i < n; ++i) y[i] = ";
  const Verdict verdict = judge_vectors(body + "4 * p[i];", body + "p[i] * 4;", true);
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

// No instruction of it faults: the sanitizer says so, where arrays stand askew.
TEST(Alignment, RefusesPromiseThatOriginalDoesNotMake) {
  const Verdict verdict = judge_vectors(
      "typedef unsigned __attribute__((may_alias, aligned(32))) word; float first = 0;\n"
      "if (n > 0) { unsigned bits = *(const word*)x; __builtin_memcpy(&first, &bits, 4); y[0] = 4 * first; }\n"
      "for (int i = 1; i < n; ++i) y[i] = x[i] * 4;",
      plain, true);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("misaligned"));
}
#endif

}  // namespace
}  // namespace hone::test
