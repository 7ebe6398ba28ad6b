// What is written for people: texts without needless braces, copies written once, words for every transformation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/transforms/workbench.h"
#include "tool/transforms/code/transformation.h"
#include "tool/transforms/phrases.h"

namespace hone::frontend {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Snippet in_form(Snippet snippet, Form form) {
  snippet.form = form;
  return snippet;
}

Snippet compact(Snippet snippet) {
  return in_form(std::move(snippet), Form::compact);
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const Snippet edges{
    R"(void kernel(const int* in, int* out, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0;
      for (int d = -1; d <= 1; ++d)
        if (x + d >= 0 && x + d < w && y + d >= 0 && y + d < h) sum += in[(y + d) * w + x + d];
      out[y * w + x] = sum;
    }
})",
    "auto a = numbers<int>(n * 7), b = numbers<int>(n * 7); kernel(a.data(), b.data(), n, 7); keep(b);"};

const Snippet total{
    R"(void kernel(const double* x, double* result, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
})",
    "auto x = numbers<double>(n); std::vector<double> r(1); kernel(x.data(), r.data(), n); keep(r);"};

const Snippet columns{
    R"(void kernel(const float* a, float* sums, int rows, int n) {
  for (int j = 0; j < n; ++j) {
    float sum = 0;
    for (int i = 0; i < rows; ++i) sum += a[i * n + j];
    sums[j] = sum;
  }
})",
    "auto a = numbers<float>(n * 5), s = numbers<float>(n); kernel(a.data(), s.data(), 5, n); keep(s);"};

// The same values by either text, and fewer lines.
void expect_shorter(const Snippet& snippet, const Genome& genome, const char* written, double tolerance = 0) {
  Workbench plain(snippet), bench(compact(snippet));
  const std::string once = bench.apply(genome);
  EXPECT_THAT(once, HasSubstr(written));
  EXPECT_LT(lines(once), lines(plain.apply(genome))) << once;
  EXPECT_EQ(bench.difference(once, tolerance), "") << once;
}

// Its borders are told by a call as well as by comparisons, its bounds are unsigned, and it goes on early.
const Snippet clamped{
    R"(void kernel(const int* in, int* out, unsigned n, unsigned rows) {
  for (unsigned y = 0; y < rows; ++y) {
    if (y == 3) continue;
    for (unsigned x = 0; x < n; ++x) {
      int sum = in[y * n + std::min(x + 2, n - 1)];
      if (x >= 1) sum -= in[y * n + x - 1];
      out[y * n + x] = sum;
    }
  }
})",
    "auto a = numbers<int>(n * 6), b = numbers<int>(n * 6); kernel(a.data(), b.data(), n, 6); keep(b);",
    "#include <algorithm>\n"};

const Snippet moments{
    R"(void kernel(const double* x, double* result, int n) {
  double sum = 0, squares = 0;
  double most = x[0];
  for (int i = 0; i < n; ++i) {
    const double d = x[i] - 1;
    sum += d;
    squares += d * d;
    if (d > most) most = d;
  }
  result[0] = sum;
  result[1] = squares;
  result[2] = most;
})",
    "auto x = numbers<double>(n + 1); std::vector<double> r(3); kernel(x.data(), r.data(), n); keep(r);"};

const Snippet product{
    R"(void kernel(const float* a, const float* b, float* c, int rows, int n, int k) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
})",
    "auto a = numbers<float>(7 * 5), b = numbers<float>(5 * n), c = numbers<float>(7 * n);"
    "kernel(a.data(), b.data(), c.data(), 7, n, 5); keep(c);"};

const Snippet in_memory{
    R"(void kernel(const double* a, double* sums, double* largest, int rows, int n) {
  for (int j = 0; j < n; ++j) {
    sums[j] = 0;
    largest[j] = -1e30;
    for (int i = 0; i < rows; ++i) {
      sums[j] += a[i * n + j];
      if (a[i * n + j] > largest[j]) largest[j] = a[i * n + j];
    }
  }
})",
    "for (int rows : {0, 5}) { auto a = numbers<double>(n * 5), s = numbers<double>(n), l = numbers<double>(n);"
    "kernel(a.data(), s.data(), l.data(), rows, n); keep(s); keep(l); }"};

TEST(CompactForm, WritesBorderOnce) {
  expect_shorter(edges, {{"split_index", 0, {}}}, "(x_inside || x + d >= 0)");
}

TEST(CompactForm, WritesBorderOfCallsOnce) {
  expect_shorter(clamped, {{"split_index", 0, {}}}, "(x_inside ? x + 2 : std::min(x + 2, n - 1))");
}

TEST(CompactForm, WritesBodyOfLanesOnce) {
  expect_shorter(moments, {{"lanes", 0, {16}}}, "i_lanes((n / 16 * 16), n % 16);", 1e-9);
}

TEST(CompactForm, CountsCopiesOfStrips) {
  expect_shorter(product, {{"vectorise_outer", 1, {8}}, {"unroll_jam", 0, {4}}}, "float sum_lanes[4][8] = {{0}};");
}

TEST(CompactForm, BeginsSumsWithZerosWhereTheyAreDeclared) {
  Workbench bench(compact(columns));
  const std::string once = bench.apply({{"vectorise_outer", 0, {8}}});
  EXPECT_THAT(once, HasSubstr("float sum_lanes[8] = {0};\n    for (int i = 0; i < rows; ++i)\n      for (int j = j0;"));
  EXPECT_EQ(bench.difference(once), "");
}

// The loops that it asks to unroll stand in the function that split_index wrote.
TEST(CompactForm, UnrollsLoopsOfBorderThatIsWrittenOnce) {
  expect_shorter(edges, {{"split_index", 0, {}}, {"unroll_full", 0, {}}}, "\n#pragma GCC unroll 3\n");
}

const Snippet rows_of_sums{
    R"(void kernel(const double* a, const double* x, double* y, int rows, int n) {
  for (int i = 0; i < rows; ++i) {
    const double* row = a + i * n;
    const int last = n - 1;
    double sum = x[i];
    for (int k = 0; k <= last; ++k) sum += row[k] * x[k];
    y[i] = sum;
  }
})",
    "auto a = numbers<double>(n * 7), x = numbers<double>(n + 7), y = numbers<double>(7);"
    "kernel(a.data(), x.data(), y.data(), 7, n); keep(y);"};

TEST(CompactForm, KeepsValuesOfCopiesInArrays) {
  expect_shorter(rows_of_sums, {{"unroll_jam", 0, {4}}}, "double sum[4];", 1e-12);
  Workbench bench(compact(rows_of_sums));
  EXPECT_THAT(bench.apply({{"unroll_jam", 0, {4}}}), HasSubstr("const int last = n - 1;")) << "the same for all";
}

const Snippet upper{
    R"(void kernel(const double* a, double* c, int n, int rows) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < rows; ++k) sum += a[k * n + i] * a[k * n + j];
      c[i * n + j] = sum;
    }
})",
    "auto a = numbers<double>(n * 5), c = numbers<double>(n * n); kernel(a.data(), c.data(), n, 5); keep(c);"};

const Snippet lower{
    R"(void kernel(const double* l, double* b, int n, int columns) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      for (int j = 0; j < columns; ++j) b[i * columns + j] += l[i * n + k] * b[(n + k) * columns + j];
})",
    "auto l = numbers<double>(n * n), b = numbers<double>(2 * n * 5); kernel(l.data(), b.data(), n, 5); keep(b);"};

TEST(CompactForm, WritesTriangleOnce) {
  expect_shorter(upper, {{"unroll_jam", 0, {4}}}, "    for (int j = (i0 + count - 1); j < n; ++j) {", 1e-12);
  expect_shorter(lower, {{"unroll_jam", 0, {4}}}, "    for (int k = 0; k < (i0 + 1); ++k)", 1e-12);
}

TEST(CompactForm, TilesCommonPartOfTriangle) {
  Workbench bench(compact(upper));
  const std::string once = bench.apply({{"unroll_jam", 0, {4}}, {"vectorise_outer", 2, {8}}});
  EXPECT_THAT(once, HasSubstr("double sum_lanes[4][8];"));
  EXPECT_THAT(once, HasSubstr("#pragma GCC unroll 4"));
  EXPECT_EQ(bench.difference(once, 1e-12), "");
}

const Snippet columns_of_rows{
    R"(void kernel(const float* a, const float* x, float* y, int rows, int n) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) {
      if (x[i] == 0) break;
      y[j] += a[i * n + j] * x[i];
    }
})",
    "auto a = numbers<float>(n * 7), x = numbers<float>(7), y = numbers<float>(n); x[3] = 0;"
    "kernel(a.data(), x.data(), y.data(), 7, n); keep(y);"};

TEST(CompactForm, CountsCopiesInsideOfLoopThatSharesThem) {
  Snippet whole = columns_of_rows;
  whole.kernel.erase(whole.kernel.find("      if (x[i] == 0) break;\n"), 28);
  expect_shorter(whole, {{"unroll_jam", 0, {4}}}, "#pragma GCC unroll 4\n      for (int i = i0; i < i0 + count; ++i)");
}

TEST(CompactForm, LeavesLoopThatEndsEarlyToEachCopy) {
  Workbench bench(compact(columns_of_rows));
  EXPECT_THAT(bench.workshop().render({{"unroll_jam", 0, {4}}}).source, Not(HasSubstr("i_rows")));
}

TEST(CompactForm, StartsAccumulatorWithWhatPlaceIsSetTo) {
  expect_shorter(in_memory, {{"promote_scalar", 0, {}}}, "double largest_value = -1e30;");
}

TEST(CompactForm, LoadsPlaceThatNothingSetsInFront) {
  Snippet added = in_memory;
  added.kernel.erase(added.kernel.find("    largest[j] = -1e30;\n"), 24);
  Workbench bench(compact(added));
  EXPECT_THAT(bench.apply({{"promote_scalar", 0, {}}}), HasSubstr("if (0 < rows) {"));
}

TEST(CompactForm, HalvesLanesInLoop) {
  expect_shorter(total, {{"lanes", 0, {16}}}, "half /= 2", 1e-9);
}

TEST(CompactForm, WritesStripOnce) {
  expect_shorter(columns, {{"vectorise_outer", 0, {8}}}, "__attribute__((always_inline))");
}

TEST(CompactForm, AsksCompilerToUnroll) {
  expect_shorter(edges, {{"unroll_full", 0, {}}}, "\n#pragma GCC unroll 3\n");
}

TEST(NeedlessBraces, GoWhereNoNameMindsThem) {
  Workbench bench({R"(void kernel(int* p, int n) {
  // kept, however   it is laid out
  {
    {
      int a = n;
      {
        p[0] = a;
      }
    }
  }
  {
    p[1] = 0;
    { int n = 2; p[2] = n; }
  }
  for (int i = 0; i < n; ++i) {
    { int i = 7; p[3] = i; }
  }
#pragma omp critical
  {
    p[4] = 0;
  }
})",
                   ""});
  const std::string text = bench.apply({});
  EXPECT_THAT(text, HasSubstr("  // kept, however   it is laid out\n  int a = n;\n  p[0] = a;\n  {\n"));
  EXPECT_THAT(text, HasSubstr("  {\n    p[1] = 0;\n    int n = 2;\n    p[2] = n;\n  }\n")) << "there is another n";
  EXPECT_THAT(text, HasSubstr("{\n      int i = 7;")) << "the loop has an i";
  EXPECT_THAT(text, HasSubstr("#pragma omp critical\n  {\n"));
}

TEST(NeedlessBraces, StayInFunctionWithLabels) {
  Workbench bench({"void kernel(int* p) {\n  {\n    p[0] = 1;\n  }\n  goto end;\nend:;\n}", ""});
  EXPECT_THAT(bench.apply({}), HasSubstr("{\n  {\n    p[0] = 1;\n  }\n"));
}

TEST(Phrases, StandForEveryTransformation) {
  for (const auto* table : {&transformations(), &device_transformations()})
    for (const auto& one : *table) EXPECT_NE(phrase_of(one->name()), "") << one->name();
  EXPECT_EQ(phrase_of("no such"), "");
}

TEST(ShortestForm, IsCompactWhereAllGenesApplyToThat) {
  const Genome split{{"split_index", 0, {}}};
  Workbench once(compact(edges)), shortest(in_form(edges, Form::shortest));
  EXPECT_EQ(shortest.apply(split), once.apply(split));
}

// The second gene's place is a copy that the compact form does not have.
TEST(ShortestForm, IsPlainWhereGeneAppliesToThatAlone) {
  const Genome twice{{"split_index", 0, {}}, {"unroll_full", 2, {}}};
  Workbench plain(edges), shortest(in_form(edges, Form::shortest));
  EXPECT_EQ(Workbench(compact(edges)).workshop().render(twice).applied.size(), 1u);
  EXPECT_EQ(shortest.apply(twice), plain.apply(twice));
}

// The rows of a triangle are jammed in the plain form alone: in the compact one a tile stands in their way.
const Snippet triangle{
    R"(void kernel(const float* a, const float* b, float* c, int m, int n) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < i; ++k) sum += b[k * n + j] * a[i * m + k];
      c[i * n + j] = sum;
    }
})",
    "auto a = numbers<float>(n * n), b = numbers<float>(n * 9), c = numbers<float>(n * 9);"
    " kernel(a.data(), b.data(), c.data(), n, 9); keep(c);"};

std::set<std::string> names_of(const Genome& genome) {
  std::set<std::string> names;
  for (const Gene& gene : genome) names.insert(gene.transform);
  return names;
}

std::vector<Genome> recipes_of(const Snippet& snippet, Form form) {
  return Workbench(in_form(snippet, form)).workshop().survey().recipes;
}

TEST(ShortestForm, HasRecipesOfPlainFormWhereCompactOneHasNoPlaceForTheirMoves) {
  for (const Snippet& snippet : {edges, triangle, columns}) {
    const auto plain = recipes_of(snippet, Form::plain), compact = recipes_of(snippet, Form::compact);
    const auto all = recipes_of(snippet, Form::shortest);
    EXPECT_EQ(all.front(), compact.front()) << "the shorter text first";
    for (const Genome& recipe : compact) EXPECT_THAT(all, Contains(recipe));
    for (const Genome& recipe : plain)
      EXPECT_TRUE(std::ranges::any_of(all, [&](const Genome& one) { return names_of(one) == names_of(recipe); }));
    for (const Genome& recipe : all) EXPECT_EQ(std::ranges::count(all, recipe), 1);
  }
}

}  // namespace
}  // namespace hone::frontend
