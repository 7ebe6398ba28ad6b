#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Gene tabulate{"tabulate", 0, {}};

Snippet snippet(const std::string& body) {
  return {"void kernel(const double* x, double* y, int n, int r, double g) {\n" + body + "\n}",
          "auto x = numbers<double>(n * n + 40), y = numbers<double>(n * n + 40);"
          "kernel(x.data(), y.data(), n, n % 4, 0.5); keep(y);",
          "#include <algorithm>\n#include <cmath>\n#include <cstddef>", 1, true};
}

std::string tabulated(const std::string& body) {
  Workbench bench(snippet(body));
  const std::string changed = bench.apply({tabulate});
  EXPECT_EQ(bench.difference(changed), "") << changed;
  return changed;
}

TEST(Tabulate, ValuesOfInnerCountersAreComputedOnce) {
  const std::string changed = tabulated(R"(for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int dy = -r; dy <= r; ++dy)
        for (int dx = 0; dx < r; ++dx) {
          const double d2 = dx * dx + dy * dy;
          sum += std::exp(-d2 * g) * x[(i + k + dx + dy + r) % (n * n)];
        }
      y[i * n + k] = sum;
    })");
  EXPECT_THAT(changed, HasSubstr("std::exp(-static_cast<double>(dx * dx + dy * dy) * g));"));
  EXPECT_THAT(changed, HasSubstr("sum += table["));
}

TEST(Tabulate, ValuesOfOneNumberAreComputedBetweenItsEnds) {
  for (const std::string type : {"int", "long", "std::size_t"}) {
    const std::string changed = tabulated(
        "const " + type + R"( last = n;
  for ()" +
        type + R"( i = 0; i < last; ++i)
    for ()" +
        type +
        R"( k = 0; k <= i; ++k) y[k] += std::pow(1.01, static_cast<int>(2 * k - i)) + std::pow(1.01, 2 * k + i + 3);)");
    EXPECT_THAT(changed, Not(HasSubstr("+= std::pow"))) << changed;
  }
}

TEST(Tabulate, LoopsOfOtherRangesHaveOtherTables) {
  tabulated(R"(for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += std::exp(-k * g);
    for (int k = 0; k < 8; ++k) sum += std::exp(-k * g) * x[k];
    for (int k = 2; k < 6; ++k) sum += std::exp(-k * g) * x[k + i];
    y[i] = sum;
  })");
}

TEST(Tabulate, TreesOfValuesAreRightInAllForms) {
  Workbench bench(snippet(R"(for (int k = 0; k < n; ++k) {
    double value[80];
    const double dt = 1.0 / n, up = std::exp(g * std::sqrt(dt));
    for (int j = 0; j <= n; ++j) value[j] = std::max(0.0, 1 - x[k] * std::pow(up, 2 * j - n));
    for (int i = n - 1; i >= 0; --i)
      for (int j = 0; j <= i; ++j)
        value[j] = std::max(0.5 * (value[j] + value[j + 1]), 1 - x[k] * std::pow(up, 2 * j - i));
    y[k] = value[0];
  })"));
  const Gene counted{"canonical_loop", 0, {}};
  for (const Genome& genome : {Genome{counted, tabulate}, Genome{counted, tabulate, {"vectorise_outer", 0, {16}}}}) {
    const std::string changed = bench.apply(genome);
    EXPECT_EQ(bench.difference(changed), "") << changed;
  }
}

TEST(Tabulate, LeavesWhatEachIterationAsksForAnew) {
  for (const char* body :
       {"for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) y[k] += std::exp(x[k]);",       // memory
        "for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) y[k] += std::exp(i + k * g);",  // no number
        "for (int i = 0; i < n; ++i) y[i] += std::exp(i * g);",                                  // once each
        "for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) y[k] += std::sqrt(k * g);",     // cheap
        "for (int i = 0; i < n; ++i) for (int k = 0; k < i; ++k) y[k] += std::exp(k * g);",      // bounds change
        "double h = g; for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) y[k] += std::exp(k * h), h *= 0.5;"})
    EXPECT_TRUE(Workbench(snippet(body)).workshop().render({tabulate}).applied.empty()) << body;
}

TEST(Tabulate, IsTriedFirstWithAndThenWithout) {
  Workbench bench(snippet("for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) y[k] += x[k] * std::exp(k * g);"));
  const Catalog catalog = bench.workshop().survey();
  ASSERT_GE(catalog.recipes.size(), 2u);
  const auto has = [](const Genome& recipe) { return std::count(recipe.begin(), recipe.end(), tabulate) > 0; };
  EXPECT_TRUE(has(catalog.recipes[0]));
  EXPECT_FALSE(has(catalog.recipes[1]));
}

}  // namespace
}  // namespace hone::frontend
