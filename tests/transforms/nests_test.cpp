#include <gtest/gtest.h>

#include <algorithm>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

unsigned count(const Genome& genome, const std::string& transform) {
  return static_cast<unsigned>(
      std::count_if(genome.begin(), genome.end(), [&](const Gene& gene) { return gene.transform == transform; }));
}

Genome first_recipe(const Snippet& snippet) {
  return Workbench(snippet).workshop().survey().recipes.at(0);
}

unsigned sites_of(const Snippet& snippet, const std::string& transform) {
  for (const TransformSite& site : Workbench(snippet).workshop().survey().transforms)
    if (site.transform == transform) return site.sites;
  return 0;
}

const Snippet chain{
    R"(void kernel(const double* a, const double* b, const double* c, double* e, double* g, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      e[i * m + j] = 0;
      for (int k = 0; k < m; k++) e[i * m + j] += a[i * m + k] * b[k * m + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      g[i * m + j] = 0;
      for (int k = 0; k < m; k++) g[i * m + j] += e[i * m + k] * c[k * m + j];
    }
})",
    "auto a = numbers<double>(n * 21), b = numbers<double>(21 * 21), c = numbers<double>(21 * 21);"
    "auto e = numbers<double>(n * 21), g = numbers<double>(n * 21);"
    "kernel(a.data(), b.data(), c.data(), e.data(), g.data(), n, 21); keep(e); keep(g);"};

const Snippet outer_sums{
    R"(void kernel(const double* a, const double* b, double* c, double beta, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) c[i * m + j] *= beta;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < m; j++) c[i * m + j] += a[i * n + k] * b[k * m + j];
  }
})",
    "auto a = numbers<double>(n * n), b = numbers<double>(n * 19), c = numbers<double>(n * 19);"
    "kernel(a.data(), b.data(), c.data(), 1.5, n, 19); keep(c);"};

// The columns' sums start at the diagonal.
const Snippet upper_triangle{
    R"(void kernel(const int* x, int* out, int n, int m) {
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      int sum = 0;
      for (int k = 0; k < n; k++) sum += x[k * m + i] * x[k * m + j];
      out[i * m + j] = sum;
      out[j * m + i] = sum;
    }
})",
    "auto x = numbers<int>(7 * (n + 1)), out = numbers<int>((n + 1) * (n + 1));"
    "kernel(x.data(), out.data(), 7, n + 1); keep(out);",
    "", 1, true};

const Snippet lower_triangle{
    R"(void kernel(const int* a, int* c, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= 3;
    for (int j = 0; j <= i; j++) {
      int sum = c[i * n + j];
      for (int k = 0; k < m; k++) sum += a[i * m + k] * a[j * m + k];
      c[i * n + j] = sum;
    }
  }
})",
    "auto a = numbers<int>(n * 9), c = numbers<int>(n * n); kernel(a.data(), c.data(), n, 9); keep(c);", "", 1, true};

// Each iteration of q fills `row` again, so its copies may not share it.
const Snippet workspace{
    R"(void kernel(double* a, const double* c, double* row, int nq, int np) {
  for (int q = 0; q < nq; q++) {
    for (int p = 0; p < np; p++) {
      row[p] = 0;
      for (int s = 0; s < np; s++) row[p] += a[q * np + s] * c[s * np + p];
    }
    for (int p = 0; p < np; p++) a[q * np + p] = row[p];
  }
})",
    "auto a = numbers<double>(n * 18), c = numbers<double>(18 * 18), row = numbers<double>(18);"
    "kernel(a.data(), c.data(), row.data(), n, 18); keep(a); keep(row);"};

const Snippet gemv_and_transposed{
    R"(void kernel(const double* a, const double* x, double* y, double* t, int m, int n) {
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++) t[i] += a[i * n + j] * x[j];
    for (int j = 0; j < n; j++) y[j] = y[j] + a[i * n + j] * t[i];
  }
})",
    "auto a = numbers<double>(n * 37), x = numbers<double>(37), y = numbers<double>(37), t = numbers<double>(n);"
    "kernel(a.data(), x.data(), y.data(), t.data(), n, 37); keep(y); keep(t);"};

// Division by ones keeps integers exact.
const Snippet triangular_solve{
    R"(void kernel(int* a, const int* b, int* x, const int* m, int n) {
  for (int j = 0; j < n; j++) {
    int w = b[j];
    for (int k = 0; k < j; k++) w -= m[k * n + j] * x[k];
    x[j] = w % 5;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; ++k) a[i * n + j] += a[i * n + k] * m[k * n + j];
      a[i * n + j] %= 7;
    }
})",
    "auto a = numbers<int>(n * n), b = numbers<int>(n), x = numbers<int>(n), m = numbers<int>(n * n);"
    "kernel(a.data(), b.data(), x.data(), m.data(), n); keep(a); keep(x);",
    "", 1, true};

TEST(NestShapes, TileEveryNestOfKernel) {
  const Genome first = first_recipe(chain);
  EXPECT_EQ(count(first, "vectorise_outer"), 2u);
  EXPECT_EQ(count(first, "unroll_jam"), 2u);
  Workbench bench(chain);
  EXPECT_EQ(bench.difference(bench.apply(first), 1e-9), "");
}

TEST(NestShapes, TurnSumsInwardBeforeTheyTile) {
  const Genome first = first_recipe(outer_sums);
  EXPECT_EQ(count(first, "interchange"), 1u);
  EXPECT_EQ(count(first, "vectorise_outer"), 1u);
  EXPECT_EQ(count(first, "unroll_jam"), 1u);
  Workbench bench(outer_sums);
  EXPECT_EQ(bench.difference(bench.apply(first), 1e-9), "");
}

TEST(NestShapes, JamNoCopiesThatShareWorkspace) {
  const Genome first = first_recipe(workspace);
  EXPECT_EQ(count(first, "vectorise_outer"), 1u);
  EXPECT_EQ(count(first, "unroll_jam"), 0u);
  Workbench bench(workspace);
  EXPECT_EQ(bench.difference(bench.apply(first), 1e-9), "");
}

TEST(NestShapes, RunRowsWithTheirSumsSideBySide) {
  const Genome first = first_recipe(gemv_and_transposed);
  EXPECT_EQ(count(first, "unroll_jam"), 1u);
  EXPECT_GE(count(first, "lanes"), 1u);
  Workbench bench(gemv_and_transposed);
  EXPECT_EQ(bench.difference(bench.apply(first), 1e-9), "");
}

// Three vectors of eight floats where four would leave a rest.
TEST(NestShapes, FitTileToLoopThatItDivides) {
  for (const auto& [columns, width] : {std::pair{24, 24}, {64, 32}, {30, 32}}) {
    Snippet product = outer_sums;
    product.kernel = "void kernel(const float* a, const float* b, float* c, int m) {\n  for (int j = 0; j < " +
                     std::to_string(columns) +
                     "; j++) {\n    float sum = 0;\n    for (int k = 0; k < m; k++) sum += a[k] * b[k * 64 + j];"
                     "\n    c[j] = sum;\n  }\n}";
    product.machine = "-mavx2";
    const Genome first = first_recipe(product);
    const auto tile = std::ranges::find(first, "vectorise_outer", &Gene::transform);
    ASSERT_NE(tile, first.end());
    EXPECT_EQ(tile->arguments, std::vector<int>{width}) << columns << Workbench(product).apply(first);
  }
}

TEST(NestShapes, JamTrianglesWhereOrderIsKnown) {
  Snippet floats = lower_triangle;
  for (std::size_t at; (at = floats.kernel.find("int*")) != std::string::npos;) floats.kernel.replace(at, 4, "float*");
  floats.drive =
      "auto a = numbers<float>(n * 9), c = numbers<float>(n * n); kernel(a.data(), c.data(), n, 9); keep(c);";
  const Genome first = first_recipe(floats);
  EXPECT_GE(count(first, "unroll_jam"), 1u);
  Workbench bench(floats);
  EXPECT_EQ(bench.difference(bench.apply(first), 1e-5), "");
}

TEST(UnrollJam, JamsTriangleFromDiagonalOn) {
  Workbench bench(upper_triangle);
  const std::string text = bench.apply({{"unroll_jam", 0, {4}}});
  EXPECT_EQ(bench.difference(text), "");
  EXPECT_NE(text.find("sum_3 +="), std::string::npos) << text;
}

TEST(UnrollJam, JamsTriangleUpToDiagonal) {
  Workbench bench(lower_triangle);
  for (int copies : {2, 3, 4}) EXPECT_EQ(bench.difference(bench.apply({{"unroll_jam", 0, {copies}}})), "");
}

TEST(UnrollJam, LeavesRowsOfPointerThatWalksOn) {
  for (const char* row : {"for (int j = 0; j < n; j++) s += *a++ * v[j];",
                          "for (int j = 0; j < n; j++) s += a[j] * v[j];\n    a += n;"}) {
    Workbench bench({std::string("void kernel(const float* a, const float* v, float* y, int m, int n) {\n") +
                         "  for (int i = 0; i < m; i++) {\n    float s = 0;\n    " + row + "\n    y[i] = s;\n  }\n}",
                     ""});
    for (const char* gene : {"unroll_jam", "vectorise_outer"})
      EXPECT_TRUE(bench.workshop().render({{gene, 0, {4}}}).applied.empty()) << gene << ": " << row;
  }
}
TEST(UnrollJam, LeavesTriangleInsideOfAnotherLoopAsItIs) {
  Snippet deeper = lower_triangle;
  deeper.kernel = R"(void kernel(const int* a, int* c, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) c[i * n + j] += a[i * m + k] * a[j * m + k];
})";
  Workbench bench(deeper);
  EXPECT_EQ(bench.difference(bench.apply({{"unroll_jam", 0, {4}}})), "");
}

TEST(Push, AddsToLaterElementsInOrderOfTheirSums) {
  ASSERT_EQ(sites_of(triangular_solve, "push"), 2u);
  Workbench bench(triangular_solve);
  EXPECT_EQ(bench.difference(bench.apply({{"push", 0, {}}})), "");
  EXPECT_EQ(bench.difference(bench.apply({{"push", 1, {}}})), "");
}

TEST(Push, IsTriedFirstWhereSumsRunDownColumns) {
  EXPECT_EQ(count(first_recipe(triangular_solve), "push"), 2u);
}

// What earlier elements bring is changed, read elsewhere, or not all of it counts.
TEST(Push, RefusesSumsOverOtherElements) {
  for (const char* sum : {
           "for (int k = 0; k < j; k++) w -= m[k * n + j] * x[k + 1];",  // not the earlier element
           "for (int k = 0; k < j; k++) w -= m[k * n + j] * x[j - k];",  // another order
           "for (int k = 1; k < j; k++) w -= m[k * n + j] * x[k];",      // not from the first on
           "for (int k = 0; k <= j; k++) w -= m[k * n + j] * x[k];",     // itself too
           "for (int k = 0; k < j; k++) w -= m[k * n + j] * x[k] * w;",  // the sum so far
           "for (int k = 0; k < j; k++) { w -= x[k]; w += m[k]; }",      // two sums
           "for (int k = 0; k < j; k++) if (x[k] > 0) w -= x[k];",       // some of them
       }) {
    Snippet other{std::string("void kernel(const int* b, int* x, const int* m, int n) {\n"
                              "  for (int j = 0; j < n; j++) {\n    int w = b[j];\n    ") +
                      sum + "\n    x[j] = w % 5;\n  }\n}",
                  ""};
    EXPECT_EQ(sites_of(other, "push"), 0u) << sum;
  }
}

TEST(Push, RefusesElementsWhoseStartReadsOthers) {
  const Snippet shifted{
      "void kernel(int* x, const int* m, int n) {\n"
      "  for (int j = 0; j < n - 1; j++) {\n    int w = x[j + 1];\n"
      "    for (int k = 0; k < j; k++) w -= m[k * n + j] * x[k];\n    x[j] = w % 5;\n  }\n}",
      ""};
  EXPECT_EQ(sites_of(shifted, "push"), 0u);
}

}  // namespace
}  // namespace hone::frontend
