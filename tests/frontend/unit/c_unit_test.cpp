// Units and harnesses of C kernels: compiled by the real compilers as C, loaded and called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/loaded_unit.h"
#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/unit/double_unit.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// In C89: names that are words of C++, conversions that C++ does not make, a function and a macro of one name.
constexpr const char* kOldC = R"code(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define SCALE(x) ((x) * class)
enum mode { plain, twice };
struct vec { float x, y; };
typedef struct { int count; } table;
static const int class = 3;
static float helper(float new) { return (float)sqrt(new); }
float unrelated() { printf("hello"); return 2; }
int counter;
#define template(a, b, c, d, e) (template)(a, b, c, d, e)
#pragma hone kernel in(src[0:SCALE(n)/class]) out(dst[0:n]) \
    problem(n=1<<2, mode=twice) problem(n=sizeof(table)+3, gain=n*0.5f) init(src: uniform(-1, 2.5))
float (template)(const struct vec *src, float *dst, int n, enum mode mode, float gain) {
  float sum = 0, *scratch = malloc(sizeof(float) * (n + 1));
  int i;
  for (i = 0; i < n; ++i) {
    scratch[i] = SCALE(helper(src[i].x)) * gain * (mode == twice ? 2 : 1);
    dst[i] = scratch[i];
    sum += dst[i];
  }
  free(scratch);
  return sum;
}
float use() { return unrelated() + counter; }
)code";

class CHarness : public testing::TestWithParam<const char*> {};

TEST_P(CHarness, CallsKernelThroughVoidPointers) {
  const Snippet snippet(kOldC, {"-ansi"}, "main.c");
  const KernelSpec spec = snippet.kernel();
  EXPECT_EQ(spec.language, "c89");
  EXPECT_EQ(spec.signature, "float template(const struct vec *, float *, int, enum mode, float)");
  EXPECT_THAT(spec.unit.closing, Not(HasSubstr("unrelated")));
  const LoadedUnit unit(snippet, spec, GetParam());

  struct {
    float x, y;
  } src[4] = {{1, 0}, {4, 0}, {9, 0}, {16, 0}};
  float dst[4] = {};
  int n = 0, mode = 0;
  float gain = 0.5f, sum = 0;
  const std::vector<void*> slots = {src, dst, &n, &mode, &gain};
  unit.problem(1, slots);
  EXPECT_EQ(n, 7);
  EXPECT_EQ(gain, 3.5f);
  EXPECT_EQ(mode, 0);
  unit.problem(0, slots);
  EXPECT_EQ(n, 4);
  EXPECT_EQ(mode, 1);
  gain = 0.5f;
  unit.call(slots, &sum);
  EXPECT_THAT(dst, testing::ElementsAre(3, 6, 9, 12));
  EXPECT_EQ(sum, 30);
  const auto [integers, reals] = unit.evaluate({nullptr, nullptr, &n, &mode, &gain}, spec.expression_count);
  EXPECT_EQ(integers[spec.parameters[0].extent[0].length], 4);
  EXPECT_EQ(reals[spec.parameters[0].init->arguments[1]], 2.5);
}

INSTANTIATE_TEST_SUITE_P(Compilers, CHarness,
                         testing::Values("gcc -ansi -Wall -Wextra -Werror -Wno-unused-function -Wno-unknown-pragmas",
                                         "gcc -std=gnu17", "clang-19 -std=c89 -Wno-everything"),
                         [](const auto& info) { return "Number" + std::to_string(info.index); });

TEST(CUnit, TakesWhatC99And11Have) {
  const Snippet snippet(R"(
#include <stdbool.h>
#include <stddef.h>
struct pair { int first, second; };
static inline int sum_of(struct pair p) { return p.first + p.second; }
#pragma hone kernel in(a[0:n*m], taps[0:4]) out(b[0:n*m]) problem(n=3, m=5, twice=true)
void scale(size_t n, size_t m, const double a[restrict n][m], const double taps[static 4], double b[n][m], _Bool twice) {
  const struct pair ones = {.second = 1, .first = 0};
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      b[i][j] = a[i][j] * taps[(int[]){0, 1, 2, 3}[j % 4]] * (twice ? 2 : sum_of((struct pair){ones.first, 1}));
}
)",
                        {"-std=c11"}, "main.c");
  const KernelSpec spec = snippet.kernel();
  EXPECT_EQ(spec.language, "c11");
  for (const char* compiler : {"gcc -std=c11", "clang-19 -std=c23"}) {
    const LoadedUnit unit(snippet, spec, compiler);
    std::size_t n = 0, m = 0;
    double a[15], taps[4] = {1, 2, 3, 4}, b[15] = {};
    for (int i = 0; i < 15; ++i) a[i] = i;
    bool twice = false;
    const std::vector<void*> slots = {&n, &m, a, taps, b, &twice};
    unit.problem(0, slots);
    EXPECT_EQ(n * m, 15u);
    EXPECT_TRUE(twice);
    unit.call(slots);
    EXPECT_EQ(b[14], 14 * 2.0) << compiler;
    EXPECT_EQ(b[8], 8 * 4 * 2.0) << compiler;
  }
}

TEST(CUnit, GivesInlineDefinitionOfC99Body) {
  const Snippet snippet(R"(
#pragma hone kernel inout(x[0:n]) problem(n=8)
inline void twice(int *x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
)",
                        {"-std=c99"}, "main.c");
  const LoadedUnit unit(snippet, snippet.kernel(), "gcc -std=c99 -O0");
  int x[2] = {3, 4}, n = 2;
  unit.call({x, &n});
  EXPECT_THAT(x, testing::ElementsAre(6, 8));
}

TEST(CUnit, RefusesExternInlineOfGnu89) {
  const Snippet snippet(
      "#pragma hone kernel inout(x[0:1])\n"
      "extern inline void twice(int *x) { *x *= 2; }\n",
      {"-std=gnu89"}, "main.c");
  EXPECT_THAT(snippet.complaints(), testing::ElementsAre(HasSubstr("'extern inline' of gnu89")));
}

TEST(CUnit, EvaluatesIntegersOf64BitsExactly) {
  const Snippet snippet(
      "#pragma hone kernel inout(x[0:n]) problem(n=4) init(seed: uniform(9007199254740993, 9007199254740995))\n"
      "void add(long *x, int n, long seed) { for (int i = 0; i < n; i++) x[i] += seed; }\n",
      {}, "main.c");
  const KernelSpec spec = snippet.kernel();
  const LoadedUnit unit(snippet, spec, "gcc");
  int n = 4;
  long seed = 0;
  const auto [integers, reals] = unit.evaluate({nullptr, &n, &seed}, spec.expression_count);
  EXPECT_EQ(integers[spec.parameters[2].init->arguments[0]], 9007199254740993);
}

TEST(CUnit, CallsOldStyleDefinition) {
  const Snippet snippet(
      "#pragma hone kernel inout(x[0:n]) problem(n=4)\n"
      "void scale(x, n, by)\n  float *x;\n  int n;\n  float by;\n"
      "{\n  int i;\n  for (i = 0; i < n; i++) x[i] *= by;\n}\n",
      {"-std=gnu89"}, "main.c");
  const LoadedUnit unit(snippet, snippet.kernel(), "gcc -std=gnu89");
  float x[2] = {1, 2}, by = 3;
  int n = 2;
  unit.call({x, &n, &by});
  EXPECT_THAT(x, testing::ElementsAre(3, 6));
}

TEST(CUnit, LooksAtValuesThatAreConstants) {
  const auto complaints = [](const std::string& value) {
    return Snippet("static int size(void) { return 4; }\n#pragma hone kernel inout(x[0:n]) problem(n=" + value +
                       ") tolerance(rtol=2e-3*2)\nvoid scale(float *x, unsigned short n) { x[0] *= n; }\n",
                   {"-std=c89"}, "main.c")
        .complaints();
  };
  EXPECT_THAT(complaints("size()"), IsEmpty());
  EXPECT_THAT(complaints("1000*10"), IsEmpty());
  EXPECT_THAT(complaints("1000*100"), testing::ElementsAre(HasSubstr("unsigned short")));
}

TEST(CUnit, ReportsWrongExpressionAtItsPlace) {
  const Snippet snippet(
      "#pragma hone kernel inout(x[0:^here^nn]) problem(n=4)\n"
      "void scale(float *x, int n) { x[0] *= n; }\n",
      {}, "main.c");
  const auto [line, column] = snippet.at("here");
  EXPECT_THAT(snippet.complaints(), testing::ElementsAre(testing::StartsWith(std::to_string(line) + ":" +
                                                                             std::to_string(column) + ": use of")));
}

TEST(CUnit, IsKnownAsWhatItIsCompiledAs) {
  const char* text =
      "#pragma hone kernel inout(x[0:n]) problem(n=4)\n"
      "void scale(float *x, int n) { int i; for (i = 0; i < n; i++) x[i] *= 2; }\n";
  EXPECT_EQ(Snippet(text, {}, "main.c").kernel().language, "gnu17");
  EXPECT_EQ(Snippet(text, {"-x", "c++", "-std=c++14"}, "main.c").kernel().language, "c++14");
  EXPECT_EQ(Snippet(text, {"-x", "c", "-std=c99"}, "main.cpp").kernel().language, "c99");
  EXPECT_NE(Snippet(text, {"-std=c99"}, "main.c").key(), Snippet(text, {"-std=c11"}, "main.c").key());
}

TEST(CUnit, IsRewrittenInDouble) {
  const Snippet snippet(R"(
#include <math.h>
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64, by=0.1f)
void roots(const float *x, float *y, int n, float by) {
  for (int i = 0; i < n; ++i) y[i] = sqrtf(x[i]) * 0.1f * by;
}
)",
                        {}, "main.c");
  const Widening wide = widened(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(wide.spec) << wide.reason;
  EXPECT_THAT(wide.spec->unit.definition, HasSubstr("sqrt(x[i]) * ((double)(0.1f)) * by"));
  const LoadedUnit unit(snippet, *wide.spec, "gcc");
  double x[1] = {4}, y[1] = {}, by = 0;
  int n = 1;
  unit.problem(0, {x, y, &n, &by});
  EXPECT_EQ(by, static_cast<double>(0.1f));
  n = 1;
  unit.call({x, y, &n, &by});
  EXPECT_EQ(y[0], 2 * static_cast<double>(0.1f) * static_cast<double>(0.1f));
}

TEST(CGate, ReadsCandidatesAsC) {
  const Snippet snippet(R"(
#include <stdlib.h>
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void copy(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }
)",
                        {}, "main.c");
  auto gate = Gate::open(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(gate) << gate.error().message();
  EXPECT_EQ(gate->check("#include <string.h>\nstatic inline void go(float *new, const float *old, size_t n) {\n"
                        "  memcpy(new, old, n * sizeof *new);\n}\n"
                        "void copy(const float *restrict x, float *restrict y, int n) {\n"
                        "  const float *class = x;\n  float *t = malloc(8);\n  free(t);\n  go(y, class, n);\n}\n"),
            "");
  EXPECT_THAT(gate->check("void copy(const float *x, float *y, int n) {\n  for (auto i = 0; i < n; ++i) "
                          "y[i] = static_cast<float>(x[i]);\n}\n"),
              HasSubstr("expected expression"));
  EXPECT_THAT(gate->check("void go(void) {}\nvoid copy(const float *x, float *y, int n) { go(); }\n"),
              HasSubstr("make it static"));
}

// Clang prints `_Bool`, and from its first message on `bool`, where that is a macro.
TEST(CGate, FindsKernelWithBoolBehindAMessage) {
  const Snippet snippet(R"(
#include <stdbool.h>
#pragma hone kernel in(on[0:n]) out(y[0:n]) problem(n=64)
void pick(const bool *on, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = on[i]; }
)",
                        {}, "main.c");
  auto gate = Gate::open(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(gate) << gate.error().message();
  EXPECT_EQ(gate->check("static int *as_int(float *y) { return y; }\n"
                        "void pick(const bool *on, float *y, int n) {\n  (void)as_int(y);\n"
                        "  for (int i = 0; i < n; ++i) y[i] = on[i] ? 1 : 0;\n}\n"),
            "");
}

}  // namespace
}  // namespace hone::frontend
