// Candidates that the gate lets through, and those it stops with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tests/replaced_text.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kGatedKernel = R"code(
#include <cstdio>
namespace app { namespace {
constexpr int kStep = 1;
void shout() { std::puts("x"); }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i += kStep) y[i] = 2 * x[i]; }
} void g(const float* x, float* y) { f(x, y, 0); shout(); } }
)code";

class GateTest : public testing::Test {
 protected:
  std::string check(const std::string& candidate) { return gate_.check(candidate); }
  Snippet snippet_{kGatedKernel};
  Gate gate_ = Gate::open(snippet_.kernel(), snippet_.command(), {}).value();
};

TEST_F(GateTest, AcceptsHonestCandidates) {
  EXPECT_EQ(check("void f(const float* x, float* y, int n) { for (int i = 0; i < n; i += kStep) y[i] = 2 * x[i]; }"),
            "");
  EXPECT_EQ(
      check("#include <algorithm>\n#include <cmath>\nstatic constexpr float kTwo = 2;\ntemplate <int N> inline float "
            "twice(float v) { return v * kTwo; }\n"
            "#pragma GCC push_options\n#pragma GCC optimize(\"O3\")\n"
            "__attribute__((hot)) void f(const float* __restrict a, float* __restrict b, const int m) {\n"
            "#pragma GCC ivdep\n  for (int i = 0; i < std::max(m, 0); ++i) b[i] = twice<4>(a[i]) + "
            "std::sqrt(0.0f);\n}\n#pragma GCC pop_options\n"),
      "");
  EXPECT_EQ(
      check(
          "#include <immintrin.h>\n__attribute__((target(\"avx2\"))) static void wide(const float* x, float* y, int n) "
          "{\n  int i = 0;\n  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(y + i, _mm256_add_ps(_mm256_loadu_ps(x + i), "
          "_mm256_loadu_ps(x + i)));\n"
          "  for (; i < n; ++i) y[i] = 2 * x[i];\n}\nvoid f(const float* x, float* y, int n) {\n"
          "  if (__builtin_cpu_supports(\"avx2\")) return wide(x, y, n);\n  for (int i = 0; i < n; ++i) y[i] = 2 * "
          "x[i];\n}\n"),
      "");
  EXPECT_EQ(check("#define TILE 8\nvoid f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * "
                  "TILE / 4; }\n#undef TILE\n"),
            "");
}

TEST_F(GateTest, RejectsCandidateWithoutKernelDefinition) {
  EXPECT_THAT(check("void f(const double* x, float* y, int n) {}"), HasSubstr("does not define 'void app::f("));
  EXPECT_THAT(check("void h(const float* x, float* y, int n) {}"), HasSubstr("does not define"));
  EXPECT_THAT(check("int f(const float* x, float* y, int n) { return 0; }"), testing::Not(""));
  EXPECT_THAT(check("template <class T> void f(const T* x, T* y, int n) {}"), HasSubstr("does not define"));
  EXPECT_THAT(check("void f(const float* x, float* y, int n);"), HasSubstr("does not define"));
  EXPECT_THAT(check(""), HasSubstr("does not define"));
  EXPECT_THAT(check("inline void f(const float* x, float* y, int n) {}"), HasSubstr("inline, constexpr, noexcept"));
}

TEST(GateOfLinkage, WantsExternCThatOriginalHas) {
  const Snippet snippet(
      "#pragma hone kernel out(y[0:n]) problem(n=64)\n"
      "extern \"C\" void fill(float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2; }\n");
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const std::string plain = "void fill(float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 1 + 1; }";
  EXPECT_EQ(gate.check("extern \"C\" " + plain), "");
  EXPECT_THAT(gate.check(plain), HasSubstr("'fill' lacks the original's extern \"C\"; write it in front"));
}

TEST_F(GateTest, ReportsLineOfParseError) {
  EXPECT_EQ(check("void f(const float* x, float* y, int n) {\n  y[0] = z;\n}"),
            "<candidate>:2: use of undeclared identifier 'z'");
  EXPECT_EQ(check("#include <cmath>\n\nvoid f(const float* x, float* y, int n) {\n  y[0] = z;\n}"),
            "<candidate>:4: use of undeclared identifier 'z'");
  EXPECT_THAT(check("void f(const float* x, float* y, int n) { "), testing::Not(""));
  EXPECT_THAT(check("void f(const float* x, float* y, int n) { } } void out() { "), testing::Not(""));
}

TEST_F(GateTest, RejectsSystemCallsAndAssembly) {
  const std::string head = "void f(const float* x, float* y, int n) {\n";
  EXPECT_THAT(check("#include <fstream>\n" + head + "}"),
              StartsWith("<candidate>:1: #include <fstream> is not allowed"));
  EXPECT_THAT(check("#include \"/etc/passwd\"\n" + head + "}"), HasSubstr("is not allowed"));
  EXPECT_THAT(check(head + "__builtin_printf(\"x\"); }"),
              HasSubstr("<candidate>:2: '__builtin_printf' is not allowed"));
  EXPECT_THAT(check("#include <cstdlib>\n" + head + "std::getenv(\"HOME\"); }"),
              HasSubstr("<candidate>:3: 'getenv' is not allowed"));
  EXPECT_THAT(check(head + "asm(\"nop\"); }"), StartsWith("<candidate>:2: inline assembly"));
  EXPECT_THAT(check("extern \"C\" int printf(const char*, ...);\n" + head + "printf(\"x\"); }"), HasSubstr("'printf'"));
  EXPECT_THAT(check("extern \"C\" int system(const char*);\n" + head + "system(\"x\"); }"), HasSubstr("system"));
  EXPECT_THAT(check("#include <thread>\n" + head + "}"), HasSubstr("<thread> is not allowed"));
}

TEST(GateOfOriginal, AcceptsWhatOriginalHas) {
  const Snippet snippet(R"code(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
__attribute__((target("avx2"), noinline)) void f(const float* x, float* y, int n) {
#define TWICE(v) (2 * (v))
#define SUM (x[0])
  for (int i = 0; i < n; ++i) y[i] = TWICE(x[i]);
  asm volatile("" ::: "memory");
#if __GNUC__ > 100
  y[0] = 0;
#endif
}
float g(float v) { return TWICE(v); }
)code");
  const KernelSpec spec = snippet.kernel();
  Gate gate = Gate::open(spec, snippet.command(), {}).value();
  EXPECT_EQ(gate.check(spec.unit.active()), "");
  const auto check = [&](const std::string& from, const std::string& to) {
    return gate.check(test::replaced(spec.unit.active(), from, to));
  };
  EXPECT_EQ(check("y[i] =", "y[i] +="), "");
  EXPECT_THAT(check("(2 * (v))", "(3 * (v))"), HasSubstr("the macro 'TWICE'"));
  EXPECT_THAT(check("SUM (x[0])", "SUM(x) (x[0])"), HasSubstr("the macro 'SUM'"));
  EXPECT_THAT(check("\"\" ::: \"memory\"", "\"nop\" ::: \"memory\""), HasSubstr("inline assembly"));
  EXPECT_THAT(check("volatile(\"\" :::", "(\"\" :::"), HasSubstr("inline assembly"));
  EXPECT_THAT(check("\"avx2\"", "\"avx512f\""), HasSubstr("what the target does not promise (avx512f"));
  EXPECT_THAT(check("asm volatile", "#if __GNUC__ > 100\n  asm volatile(\"\" ::: \"memory\");\n#endif\n  asm volatile"),
              HasSubstr("code under a condition on '__GNUC__'"));
}

TEST_F(GateTest, RejectsMutableStateAndStartupCode) {
  const std::string body = "void f(const float* x, float* y, int n) {}\n";
  EXPECT_THAT(check("static int calls = 0;\n" + body),
              StartsWith("<candidate>:1: static state that can change is not allowed ('calls')"));
  EXPECT_THAT(check("void f(const float* x, float* y, int n) { static float cache[64]; y[0] = cache[0]; }"),
              HasSubstr("('cache')"));
  EXPECT_THAT(check("#include <vector>\nvoid f(const float* x, float* y, int n) { thread_local std::vector<int> t; }"),
              HasSubstr("thread-local state with a constructor or destructor"));
  EXPECT_EQ(check("void f(const float* x, float* y, int n) { thread_local float t[64]; t[0] = 1; y[0] = t[0]; }"), "");
  EXPECT_THAT(check("__attribute__((constructor)) static void early() {}\n" + body),
              HasSubstr("'constructor' is not allowed"));
  EXPECT_THAT(check("#pragma GCC optimize(\"fast-math\")\n" + body), HasSubstr("could change code outside"));
  EXPECT_THAT(check("#define hone_call other\n" + body), testing::Not(""));
  EXPECT_THAT(check("#define float double\n" + body), HasSubstr("reserved"));
  EXPECT_THAT(check("#line 7 \"other\"\n" + body), HasSubstr("#line is not allowed"));
  EXPECT_EQ(check("static const float table[] = {1, 2};\n" + body), "");
}

TEST_F(GateTest, AcceptsOnlySingleThreadedExecutionPolicies) {
  const std::string head = "#include <algorithm>\n#include <execution>\nvoid f(const float* x, float* y, int n) {\n";
  EXPECT_EQ(check(head + "std::transform(std::execution::unseq, x, x + n, y, [](float v) { return 2 * v; }); }"), "");
  EXPECT_THAT(check(head + "std::transform(std::execution::par, x, x + n, y, [](float v) { return 2 * v; }); }"),
              HasSubstr("execution::par' is not allowed"));
}

// What is pushed in text that one compiler passes over stays for the rest of the file.
TEST_F(GateTest, RejectsPragmaPoppedUnderOtherCondition) {
  const std::string body = "void f(const float* x, float* y, int n) {}\n";
  const std::string push = "#pragma GCC push_options\n#pragma GCC optimize(\"O3\")\n";
  EXPECT_THAT(check(push + body + "#if 0\n#pragma GCC pop_options\n#endif\n"), HasSubstr("under another condition"));
  EXPECT_THAT(check("#ifdef __clang__\n" + push + "#endif\n" + body + "#pragma GCC pop_options\n"),
              HasSubstr("under another condition"));
  EXPECT_EQ(
      check("#ifndef __clang__\n" + push + "#endif\n" + body + "#ifndef __clang__\n#pragma GCC pop_options\n#endif\n"),
      "");
  EXPECT_THAT(check("#define MINE\n#ifdef MINE\n" + push + "#endif\n#undef MINE\n" + body +
                    "#ifdef MINE\n#pragma GCC pop_options\n#endif\n"),
              HasSubstr("own macro"));
  EXPECT_THAT(check("#define POP _Pragma(\"GCC pop_options\")\n" + push + body + "POP\n#undef POP\n"),
              HasSubstr("in a macro acts wherever that is used"));
}

// gcc defines it, Clang does not: nobody would have looked at what stands there.
TEST_F(GateTest, RejectsCodeConditionalOnCompiler) {
  EXPECT_THAT(
      check(
          "#ifdef __GCC_HAVE_DWARF2_CFI_ASM\nstatic int calls;\n#endif\nvoid f(const float* x, float* y, int n) {}\n"),
      HasSubstr("only pragmas may depend on which compiler it is"));
  EXPECT_EQ(check("#ifdef _MSC_VER\n#define OWN_RESTRICT __restrict\n#else\n#define OWN_RESTRICT __restrict__\n#endif\n"
                  "void f(const float* OWN_RESTRICT x, float* y, int n) {}\n#undef OWN_RESTRICT\n"),
            "");
}

TEST_F(GateTest, RejectsConstantPropagationQueries) {
  EXPECT_THAT(check("void f(const float* x, float* y, int n) { if (__builtin_constant_p(n)) y[0] = 0; }"),
              HasSubstr("gives another answer where the kernel is linked"));
}

// The target is a plain x86-64.
TEST_F(GateTest, RejectsUncheckedProcessorFeatures) {
  const std::string wide =
      "__attribute__((target(\"avx512f\"))) static void wide(const float* x, float* y, int n) {}\n";
  const std::string head = "void f(const float* x, float* y, int n) {\n";
  EXPECT_THAT(check("__attribute__((target(\"avx512f\"))) " + head + "}\n"),
              AllOf(HasSubstr("the kernel itself needs of the processor"), HasSubstr("avx512f")));
  EXPECT_THAT(check(wide + head + "wide(x, y, n); }"), StartsWith("<candidate>:3: 'wide' needs of the processor"));
  EXPECT_THAT(check(wide + head + "if (__builtin_cpu_supports(\"avx2\")) wide(x, y, n); }"), HasSubstr("(avx512f"));
  EXPECT_THAT(check(wide + head + "if (!__builtin_cpu_supports(\"avx512f\")) wide(x, y, n); }"), HasSubstr("avx512f"));
  EXPECT_THAT(
      check("#pragma GCC push_options\n#pragma GCC target(\"avx512f\")\n" + head + "}\n#pragma GCC pop_options\n"),
      HasSubstr("the kernel itself needs"));
  EXPECT_EQ(check(wide + head + "if (n > 8 && __builtin_cpu_supports(\"avx512f\")) wide(x, y, n); }"), "");
  EXPECT_EQ(check(wide + "static bool has() { return __builtin_cpu_supports(\"avx512f\") != 0; }\n" + head +
                  "if (!has()) return;\nwide(x, y, n); }"),
            "");
  EXPECT_EQ(
      check(wide + head + "const bool has = __builtin_cpu_supports(\"avx512f\");\nhas ? wide(x, y, n) : void(); }"),
      "");
  EXPECT_EQ(check("__attribute__((target_clones(\"avx512f\", \"default\"))) " + head + "}\n"), "");
}

// A struct of a library's that stands in /usr/include, as GSL's and zlib's do.
TEST(GateOfLibraryStruct, AcceptsMembers) {
  const std::string
      head = "#include <netinet/in.h>\n",
      body = "void f(const in_addr* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i].s_addr; }\n";
  const Snippet snippet(head + "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n" + body);
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  EXPECT_EQ(gate.check(body), "");
}

// What the original has, its copies may have: pragmas to the word, attributes on the function itself.
constexpr const char* kDecorated = R"code(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
__attribute__((visibility("default"))) void f(const float* x, float* y, int n) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
#pragma scop
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
#pragma endscop
}
)code";

class GateOfDecoratedKernel : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(OpenMp, GateOfDecoratedKernel, testing::Values("-fopenmp", "-fno-openmp"),
                         [](const auto& info) { return std::string(info.index == 0 ? "On" : "Off"); });

TEST_P(GateOfDecoratedKernel, AcceptsWhatOriginalHas) {
  const Snippet snippet(kDecorated, {GetParam(), "-std=c++17"});
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const std::string head = "__attribute__((visibility(\"default\"))) void f(const float* x, float* y, int n) {\n";
  const std::string loop = "  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i];\n}\n";
  EXPECT_EQ(gate.check(head + "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n#pragma scop\n" + loop), "");
  EXPECT_THAT(gate.check(head + "#pragma omp parallel for num_threads(8)\n" + loop), HasSubstr("starts threads"));
  EXPECT_THAT(gate.check(head + "#pragma other\n" + loop), HasSubstr("'#pragma other'"));
  EXPECT_THAT(gate.check("#include <cstdlib>\n" + head +
                         "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n"
                         "  for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + (std::getenv(\"HOME\") != nullptr);\n}\n"),
              HasSubstr("getenv' is not allowed"));
  EXPECT_THAT(gate.check("__attribute__((visibility(\"default\"))) static void g() {}\n" + head + "g();" + loop),
              HasSubstr("rebinds or moves symbols"));
}

}  // namespace
}  // namespace hone::frontend
