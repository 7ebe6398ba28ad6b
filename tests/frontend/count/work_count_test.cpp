// Formulas for the work of a call, against counts worked out by hand.
#include "tool/frontend/count/work_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/frontend/snippet.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

WorkCount count_of(const Snippet& snippet) {
  const auto work = count_work(snippet.kernel(), snippet.command(), {});
  EXPECT_TRUE(work);
  return work.value_or(WorkCount());
}

WorkCount count_of_file(const std::string& name) {
  return count_of(Snippet(os::read_file(std::string(HONE_KERNELS) + "/" + name + ".cpp").value()));
}

// A function over n, with the helpers in front of it.
WorkCount count_in(const std::string& body, const std::string& in_front = "") {
  return count_of(
      Snippet(in_front +
              "\n#pragma hone kernel inout(x[0:n]) problem(n=64, m=64)\nvoid f(float* x, int n, int m) {\n  "
              "(void)m;\n" +
              body + "\n}\n"));
}

double at_n(const WorkCount& work, double n, double m = 1) {
  return work.operations({{"n", n}, {"m", m}});
}

TEST(WorkCount, MatchesHandCountOfBenchmarkKernels) {
  const std::map<std::string, std::pair<std::string, std::string>> expected = {
      // 9 neighbors with 2 additions for the place, 4 comparisons, 2 counts; a division
      {"blur", {"73*w*h integer operations, 2*w*h bytes", "36*w*h add (integer), 36*w*h compare (integer)"}},
      {"dot", {"2*n flops, 8*n bytes", "n add, n multiply"}},
      {"gemm", {"2*m*n*k flops, 4*(m*n + m*k + n*k) bytes", "m*n*k add, m*n*k multiply"}},
      // a row: 1 for the mean, 3 for the variance, 6 for each result (with the sum below the root); 2 divisions
      {"layer_norm", {"2*rows*(5*columns + 1) flops, 8*columns*(rows + 1) bytes", "rows*(columns + 2) divide"}},
      {"matvec_transposed", {"2*rows*columns flops, 4*(rows*columns + rows + columns) bytes", "rows*columns add"}},
      // a pair: 3 differences, 3 squares and their 3 sums, 1 division, 1 root, 3 products for s, 3 products and sums
      {"nbody", {"20*n*n flops, 28*n bytes", "9*n*n add, n*n divide, 9*n*n multiply, n*n sqrt"}},
      {"prefix_sum", {"n flops, 8*n bytes", "n add"}},
      // a row: a comparison less than columns; difference, exp, sum and division for each
      {"softmax", {"rows*(5*columns - 1) flops, 8*rows*columns bytes", "rows*columns exp"}},
      // an inner point: 4 additions and subtractions in brackets, 4*u, alpha*(), the last sum
      {"stencil", {"7*(w*h - 2*w - 2*h + 4) flops, 12*w*h bytes", "5*(w*h - 2*w - 2*h + 4) add"}},
      {"transpose", {"0 integer operations, 8*rows*columns bytes", ""}},
  };
  for (const auto& [name, texts] : expected) {
    const WorkCount work = count_of_file(name);
    EXPECT_EQ(work.text(), texts.first) << name;
    EXPECT_THAT(work.text_by_kind(), HasSubstr(texts.second)) << name;
  }
}

TEST(WorkCount, EvaluatesFormulasForProblem) {
  const WorkCount gemm = count_of_file("gemm");
  const auto values = scalar_values("m=211 n=193 k=227");
  EXPECT_EQ(gemm.operations(values), 2.0 * 211 * 193 * 227);
  EXPECT_EQ(gemm.bytes(values), 4.0 * (211 * 227 + 227 * 193 + 211 * 193));
  EXPECT_TRUE(std::isnan(gemm.operations({{"m", 2}, {"n", 3}})));
  EXPECT_EQ(count_of_file("stencil").operations(scalar_values("w=2 h=2 alpha=0.1")), 0);
  EXPECT_THAT(scalar_values("w=640 alpha=-1e-3 deep=true problem 1"),
              testing::ElementsAre(testing::Pair("alpha", -1e-3), testing::Pair("deep", 1), testing::Pair("w", 640)));
}

TEST(WorkCount, SumsTriangularLoopsExactly) {
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) for (int j = 0; j <= i; ++j) x[i] += x[j];"), 7), 28);
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) for (int j = i + 1; j < n; ++j) x[i] += x[j];"), 7), 21);
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) for (int k = j; k < i; ++k)\n"
                          "  x[i] += x[j] * x[k];"),
                 7),
            2 * 56);
}

TEST(WorkCount, CountsDescendingStridedAndReversedLoops) {
  EXPECT_EQ(at_n(count_in("for (int i = n - 1; i >= 0; --i) x[i] += 1;"), 9), 9);
  EXPECT_EQ(at_n(count_in("for (int i = n; i > 2; i--) x[i - 1] += 1;"), 9), 7);
  EXPECT_EQ(at_n(count_in("for (int i = 0; i + 4 <= n; i += 4) x[i] += 1;"), 64),
            15.25);  // 16: a step of 4 may be off by less than one
  EXPECT_EQ(at_n(count_in("for (int i = 0; n > i; i = i + 2) x[i] += 1;"), 64), 32);
  EXPECT_EQ(at_n(count_in("int i; for (i = 1; i != n; ++i) x[i] += 1;\n for (i = 0; i < 7; i += 3) x[i] += 1;"), 64),
            66);
  EXPECT_EQ(at_n(count_in("const int half = n / 2; for (long i = 0, j = n; i < half; ++i, --j) x[i] *= 2;"), 64), 32);
}

TEST(WorkCount, FollowsHelpersIntoTheirBodies) {
  EXPECT_EQ(count_in("for (int i = 0; i < n; ++i) total(x, i);",
                     "static float one(float v) { return v * v + 1; }\n"
                     "static int last(int k) { return k + 1; }\n"
                     "static void total(float* x, int k) { for (int j = 0; j < last(k); ++j) x[k] += one(x[j]); }")
                .operations({{"n", 5}}),
            15 * 3);
  EXPECT_EQ(
      at_n(count_in("auto twice = [&](int i) { return x[i] * 2; };\nfor (int i = 0; i < n; ++i) x[i] = twice(i);"), 5),
      5);
}

TEST(WorkCount, ListsKindsOfOperations) {
  const WorkCount work = count_in(
      "for (int i = 0; i < n; ++i) x[i] = std::fma(x[i], 2.0f, sqrtf(x[i])) + std::max(x[i], 0.0f) - 2.0f * 3.0f;",
      "#include <algorithm>\n#include <cmath>");
  EXPECT_EQ(work.text_by_kind(), "3*n add, n compare, n multiply, n sqrt");
}

TEST(WorkCount, TakesCostlierBranch) {
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) if (m) x[i] += 1; else x[i] = x[i] * x[i] + 1;"), 10), 20);
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) x[i] = m ? x[i] * x[i] * x[i] : 0.0f;"), 10), 20);
  EXPECT_EQ(at_n(count_in("for (int i = 0; i < n; ++i) { if (m && n) break; x[i] += 1; }"), 10), 10);
}

TEST(WorkCount, IgnoresSubscriptsAndLoopHeaders) {
  const WorkCount work = count_in("for (int i = 0; i < n - 1; ++i) { float* p = x + i * 3 / 4; *p = x[i * m + 2]; }");
  EXPECT_EQ(work.text(), "0 integer operations, 8*n bytes");
}

TEST(WorkCount, ReportsWhyOperationsAreUnknown) {
  const auto why = [](const std::string& body, const std::string& in_front = "") {
    const WorkCount work = count_in(body, in_front);
    EXPECT_TRUE(std::isnan(at_n(work, 8, 8)));
    EXPECT_EQ(work.bytes({{"n", 8}}), 64);
    return work.text();
  };
  EXPECT_THAT(why("while (n > 0) { x[0] += 1; n /= 2; }"),
              StartsWith("unknown operations (the trips of the loop are not a formula over the parameters at line 5)"));
  EXPECT_THAT(why("for (int i = 1; i < n; i *= 2) x[i] += 1;"), HasSubstr("the trips of the loop"));
  EXPECT_THAT(why("for (int i = 0; i < n; ++i) { x[i] += 1; if (m) ++i; }"), HasSubstr("the trips of the loop"));
  EXPECT_THAT(why("n = (int)x[0]; for (int i = 0; i < n; ++i) x[i] += 1;"), HasSubstr("the trips of the loop"));
  EXPECT_THAT(why("for (int i = 0; i < x[0]; ++i) x[i] += 1;"), HasSubstr("the trips of the loop"));
  EXPECT_THAT(why("int k = n; int& r = k; r = m; for (int i = 0; i < k; ++i) x[i] += 1;"), HasSubstr("the trips"));
  EXPECT_THAT(why("x[0] = again(x[0]);", "static float again(float v) { return v < 1 ? v : again(v - 1); }"),
              HasSubstr("'again' calls itself"));
  EXPECT_THAT(why("switch (m) { case 1: x[0] += 1; }"), HasSubstr("switch"));
}

TEST(WorkCount, CountsOperationsWhenExtentIsNotFormula) {
  const WorkCount work =
      count_of(Snippet("#pragma hone kernel inout(x[0:n > 4 ? n : 4]) problem(n=64)\n"
                       "void f(float* x, int n) { for (int i = 0; i < n; ++i) x[i] += 1; }\n"));
  EXPECT_EQ(work.text(), "n flops, unknown bytes (the extent of 'x' is not a formula over the parameters)");
  EXPECT_TRUE(std::isnan(work.bytes({{"n", 8}})));
}

}  // namespace
}  // namespace hone::frontend
