#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

unsigned sites_in(Snippet snippet, const std::string& transform) {
  for (const TransformSite& site : Workbench(std::move(snippet)).workshop().survey().transforms)
    if (site.transform == transform) return site.sites;
  return 0;
}

// Unsigned numbers wrap around, so a row that comes too early or too late shows in every bit.
Snippet over_square(const std::string& body, const std::string& more = "") {
  return {"void kernel(unsigned* a, unsigned* b, int steps, int n" + more + ") {\n" + body + "\n}",
          "auto a = numbers<unsigned>(n * n), b = numbers<unsigned>(n * n);"
          "for (int steps : {0, 1, 2, 5, 7}) kernel(a.data(), b.data(), steps, n); keep(a); keep(b);",
          "", 1, true};
}

const Snippet back_and_forth = over_square(R"(  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 3 * a[i * n + j] + a[i * n + j - 1] - a[i * n + j + 1] + 5 * a[(i + 1) * n + j] + a[(i - 1) * n + j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = b[i * n + j] - b[i * n + j - 1] + 3 * b[i * n + j + 1] + b[(i + 1) * n + j] + 7 * b[(i - 1) * n + j];
  })");

const Snippet in_place = over_square(R"(  for (int t = 1; t <= steps; ++t)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        a[i * n + j] = a[(i - 1) * n + j - 1] + 3 * a[(i - 1) * n + j + 1] + 5 * a[i * n + j - 1] + 7 * a[i * n + j + 1] +
                       a[(i + 1) * n + j - 1] + a[(i + 1) * n + j + 1];)");

// Rows of other numbers, and each nest with bounds of its own.
const Snippet fields{
    R"(void kernel(unsigned* ex, unsigned* ey, unsigned* hz, int steps, int rows, int columns) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < rows; i++)
      for (int j = 0; j < columns; j++) ey[i * columns + j] -= hz[i * columns + j] - hz[(i - 1) * columns + j];
    for (int i = 0; i < rows; i++)
      for (int j = 1; j < columns; j++) ex[i * columns + j] -= 3 * hz[i * columns + j] - hz[i * columns + j - 1];
    for (int i = 0; i < rows - 1; i++)
      for (int j = 0; j < columns - 1; j++)
        hz[i * columns + j] -= ex[i * columns + j + 1] - ex[i * columns + j] + ey[(i + 1) * columns + j] - ey[i * columns + j];
  }
})",
    "auto x = numbers<unsigned>(n * (n + 3)), y = numbers<unsigned>(n * (n + 3)), z = numbers<unsigned>(n * (n + 3));"
    "kernel(x.data(), y.data(), z.data(), 6, n, n + 3); keep(x); keep(y); keep(z);",
    "", 1, true};

// Counters that the whole function shares, unsigned, and single elements in place of rows.
const Snippet rod{
    R"(void kernel(unsigned* a, unsigned* b, size_t steps, size_t n) {
  size_t t, i;
  for (t = 0; t < steps; t++) {
    for (i = 2; i < n - 2; i++) b[i] = a[i - 2] + 3 * a[i] + a[i + 2];
    for (i = 1; i < n - 1; i++) a[i] = b[i] + 5 * b[i + 1] - b[i - 1];
  }
})",
    "auto a = numbers<unsigned>(n + 2), b = numbers<unsigned>(n + 2); kernel(a.data(), b.data(), 9, n + 2);"
    "keep(a); keep(b);",
    "#include <cstddef>\nusing std::size_t;\n", 1, true};

const Snippet box{
    R"(void kernel(unsigned* a, unsigned* b, int steps, int n) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[(i * n + j) * n + k] = a[(i * n + j) * n + k] + 3 * a[((i + 1) * n + j) * n + k] + a[((i - 1) * n + j) * n + k] +
                                   a[(i * n + j + 1) * n + k] - a[(i * n + j - 1) * n + k] + 5 * a[(i * n + j) * n + k - 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[(i * n + j) * n + k] = b[((i + 1) * n + j) * n + k] - b[((i - 1) * n + j) * n + k] + b[(i * n + j) * n + k + 1];
  }
})",
    "int m = n > 16 ? 16 : n; auto a = numbers<unsigned>(m * m * m), b = numbers<unsigned>(m * m * m);"
    "kernel(a.data(), b.data(), 5, m); keep(a); keep(b);",
    "", 1, true};

// Two passes of a filter: the second reads three rows behind and three ahead of what the first wrote.
const Snippet filter = over_square(R"(  (void)steps;
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n - 1; j++) b[i * n + j] = a[i * n + j - 1] + 2 * a[i * n + j] + a[i * n + j + 1];
  for (int i = 3; i < n - 3; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = b[(i - 3) * n + j] + 2 * b[i * n + j] + 7 * b[(i + 3) * n + j];)");

void expect_same(const Snippet& snippet, const std::string& transform, const std::vector<std::vector<int>>& shapes) {
  Workbench bench(snippet);
  for (const auto& shape : shapes) {
    const std::string text = bench.apply({{transform, 0, shape}});
    EXPECT_EQ(bench.difference(text), "") << ::testing::PrintToString(shape) << "\n" << text;
  }
}

TEST(Skew, KeepsSweepsBetweenTwoArrays) {
  expect_same(back_and_forth, "skew", {{4, 1}, {2, 3}, {100, 100}});
}

TEST(Skew, KeepsOrderOfRelaxationInPlace) {
  expect_same(in_place, "skew", {{3, 5}});
}

TEST(Skew, KeepsThreeNestsOfOtherBounds) {
  expect_same(fields, "skew", {{4, 1}});
}

TEST(Skew, KeepsBlocksOfSingleElements) {
  expect_same(rod, "skew", {{4, 512}, {3, 5}});
}

TEST(Skew, KeepsPlanes) {
  expect_same(box, "skew", {{3, 2}});
}

TEST(Skew, AppliesWithinLoopOverBatches) {
  Snippet batches{
      R"(void kernel(unsigned* a, unsigned* b, int count, int n) {
  for (int batch = 0; batch < count; batch++)
    for (int t = 0; t < 5; t++) {
      for (int i = 1; i < n - 1; i++) b[batch * n + i] = a[batch * n + i - 1] + 3 * a[batch * n + i + 1];
      for (int i = 1; i < n - 1; i++) a[batch * n + i] = b[batch * n + i - 1] + b[batch * n + i];
    }
})",
      "auto a = numbers<unsigned>(3 * n), b = numbers<unsigned>(3 * n); kernel(a.data(), b.data(), 3, n); keep(a);", "",
      1, true};
  expect_same(batches, "skew", {{4, 8}});
}

TEST(Skew, IsTriedFirstForSweeps) {
  EXPECT_EQ(Workbench(back_and_forth).workshop().survey().recipes.at(0),
            (Genome{{"restrict", 0, {}}, {"skew", 0, {4}}}));
}

TEST(Pipeline, IsTriedForPassesOfFilter) {
  EXPECT_THAT(Workbench(filter).workshop().survey().recipes,
              testing::Contains(Genome{{"restrict", 0, {}}, {"pipeline", 0, {}}}));
}

TEST(Skew, RefusesWhatMayNeedRowsFurtherAhead) {
  const std::string forth =
      "for (int i = 1; i < n - 1; i++)\n for (int j = 1; j < n - 1; j++) b[i * n + j] = a[i * n + j];\n";
  for (const char* back : {
           "a[j * n + i] = b[i * n + j];",                                  // columns
           "a[i * n + j] = b[(n - 1 - i) * n + j];",                        // from the other end
           "a[i * n + j] = b[i * n + j * j];",                              // out of its row
           "a[i * n + j] = b[i * (n - 1) + j];",                            // rows of another length
           "a[i * n + j] = b[i * n + j - steps];",                          // any number of rows behind
           "a[i * n + j] = b[i * n + j + t];",                              // moves with the sweeps
           "a[i * n + j] = b[b[i * n + j] % n];",                           // anywhere
           "a[i * n + j] = b[j];",                                          // always the first row
           "a[i * n + j] = b[(i + 40) * n + j];",                           // too far
           "n2 += b[i * n + j];",                                           // a sum over all rows
           "a[i * n + j] = b[i * n + j]; if (a[i * n + j] == 7) return;",   // leaves
           "{ unsigned* p = steps > 2 ? a : b; p[(n - i) * n + j] = 0; }",  // another pointer
       }) {
    Snippet other =
        over_square("  for (int t = 0; t < steps; t++) {\n" + forth +
                        "for (int i = 1; i < n - 1; i++)\n for (int j = 1; j < n - 1; j++) {" + back + "}\n  }",
                    ", int n2 = 0");
    EXPECT_EQ(sites_in(other, "skew"), 0u) << back;
  }
}

TEST(Skew, LeavesSumsThatInterchangeTurnsInward) {
  EXPECT_EQ(sites_in(over_square(R"(  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i * n + j] += b[i * n + k] * (unsigned)steps;)"),
                     "skew"),
            0u);
}

TEST(Skew, RefusesArraysThatMayOverlap) {
  Snippet overlapping = back_and_forth;
  overlapping.alias_groups = {0, 0, -1, -1};
  EXPECT_EQ(sites_in(overlapping, "skew"), 0u);
  EXPECT_EQ(sites_in(back_and_forth, "skew"), 1u);
}

TEST(Skew, RefusesSweepsThatDoMore) {
  for (const char* more : {"a[0] += 1;", "{ unsigned* c = a; a = b; b = c; }", "n--;", "if (t == 3) break;"}) {
    Snippet other = back_and_forth;
    other.kernel.insert(other.kernel.rfind("  }"), std::string(more) + "\n");
    EXPECT_EQ(sites_in(other, "skew"), 0u) << more;
  }
}

TEST(Pipeline, KeepsRowsThatTheSecondNestReads) {
  expect_same(filter, "pipeline", {{1}, {16}});
}

TEST(Pipeline, LeavesNestsThatHaveNothingInCommon) {
  EXPECT_EQ(
      sites_in(over_square("  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) a[i * n + j] += steps;\n"
                           "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) b[i * n + j] *= 3;"),
               "pipeline"),
      0u);
}

TEST(Pipeline, EndsWhereNestNeedsAllRowsBeforeIt) {
  Snippet sums = over_square(R"(  (void)steps;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i * n + j] = a[i * n + j] * 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] += b[i * n + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i * n + j] = a[j * n + i];)");
  EXPECT_EQ(sites_in(sums, "pipeline"), 1u);
  expect_same(sums, "pipeline", {{4}});
}

}  // namespace
}  // namespace hone::frontend
