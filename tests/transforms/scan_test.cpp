#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

// `body` over x, y, z and the running value `s`, which is `start` at first.
Snippet scan_over(const std::string& type, const std::string& start, const std::string& body) {
  return {"void kernel(const " + type + "* x, " + type + "* y, " + type + "* z, int n) {\n  " + type + " s = " + start +
              ";\n  for (int i = 0; i < n; ++i) {" + body + "}\n  if (n > 0) z[0] = s;\n}",
          "auto x = numbers<" + type + ">(n), y = numbers<" + type + ">(n), z = numbers<" + type +
              ">(n); kernel(x.data(), y.data(), z.data(), n); keep(y); keep(z);",
          "#include <algorithm>\n#include <cmath>\n"};
}

void expect_same(Snippet snippet, double tolerance, const std::vector<int>& widths = {8}) {
  snippet.exact = tolerance == 0;
  Workbench bench(snippet);
  for (int width : widths) {
    const std::string text = bench.apply({{"scan", 0, {width}}});
    EXPECT_EQ(bench.difference(text, tolerance), "") << text;
  }
}

unsigned scans_in(const Snippet& snippet) {
  for (const TransformSite& site : Workbench(snippet).workshop().survey().transforms)
    if (site.transform == "scan") return site.sites;
  return 0;
}

TEST(Scan, KeepsRunningSums) {
  expect_same(scan_over("float", "0", "s += x[i]; y[i] = s;"), 1e-5, {2, 4, 16});
}

TEST(Scan, KeepsSumsInFrontOfEachElement) {
  expect_same(scan_over("unsigned", "3", "y[i] = s; s = s + x[i] * 5;"), 0);
}

TEST(Scan, KeepsGreatestAndLeastSoFar) {
  expect_same(scan_over("double", "-1.5", "s = std::max(s, x[i]); y[i] = s - x[i];"), 0);
  expect_same(scan_over("int", "4", "if (x[i] < s) s = x[i]; z[i] = s; y[i] += s;"), 0);
}

TEST(Scan, KeepsProductsOfDeclaredFactors) {
  expect_same(
      scan_over("double", "1", "const double f = 1 + x[i] / 999; const double old = s; s *= f; y[i] = s - old;"), 1e-9);
}

TEST(Scan, KeepsSumsOfChosenElements) {
  expect_same(scan_over("unsigned", "0", "if (x[i] % 3 == 0) s += x[i]; y[i] = s;"), 0);
}

TEST(Scan, KeepsSumsInPlace) {
  Snippet in_place = scan_over("unsigned", "0", "s += y[i]; y[i] = s;");
  expect_same(in_place, 0);
}

TEST(Scan, KeepsRunningValuesThatAreMultipliedFirst) {
  expect_same(scan_over("double", "2", "s = (n * 0.01) * s + x[i]; y[i] = s;"), 1e-9, {2, 8});
  expect_same(scan_over("float", "0", "const float d = x[i] / 2; y[i] = s; s = d + s * -0.5f;"), 1e-4);
}

// What one iteration reads of the one before, through memory.
Snippet through_memory(const std::string& type, const std::string& body) {
  return {
      "void kernel(const " + type + "* x, " + type + "* y, int n) {\n  for (int i = 1; i < n; ++i) {" + body + "}\n}",
      "auto x = numbers<" + type + ">(n), y = numbers<" + type + ">(n); kernel(x.data(), y.data(), n); keep(y);"};
}

TEST(Carry, KeepsValuesOfIterationBeforeInLocal) {
  for (const char* body : {"y[i] = y[i - 1] + x[i];", "const double old = y[i - 1]; y[i] = x[i] - old / 2;",
                           "y[i] += y[i - 1] * 0.5;", "y[i] = y[i - 1] > x[i] ? y[i - 1] : x[i] * 3;"}) {
    Workbench bench(through_memory("double", body));
    EXPECT_EQ(bench.difference(bench.apply({{"carry", 0, {}}})), "") << body;
  }
}

TEST(Carry, MakesScansOfRecurrences) {
  for (const char* body : {"y[i] = y[i - 1] + x[i];", "y[i] = 0.5 * y[i - 1] + x[i];", "y[i] += 0.25 * y[i - 1];"}) {
    Workbench bench(through_memory("double", body));
    EXPECT_EQ(bench.difference(bench.apply({{"carry", 0, {}}, {"scan", 0, {8}}}), 1e-9), "") << body;
  }
}

TEST(Carry, LeavesWhatComesFromElsewhere) {
  for (const char* body : {"y[i] = y[i + 1] + x[i];", "y[i] = x[i]; y[0] = y[i - 1];", "y[i] = x[i - 1];",
                           "y[i] = y[i - 1]; y[i] = x[i];", "y[i] *= y[i - 1];", "if (x[i] > 0) y[i] = y[i - 1];"}) {
    Workbench bench(through_memory("double", body));
    EXPECT_TRUE(bench.workshop().render({{"carry", 0, {}}}).applied.empty()) << body;
  }
}

TEST(Scan, LeavesWhatIsNoScan) {
  for (const char* body : {
           "s += x[i];",                                           // a sum
           "s = s * x[i] + x[i]; y[i] = s;",                       // is multiplied by what changes
           "s += x[i]; s *= 2; y[i] = s;",                         // two kinds
           "if (s > 9) s = 0; s += x[i]; y[i] = s;",               // starts anew
           "s += y[i]; y[i + 1 < n ? i + 1 : 0] = s;",             // makes itself of what it wrote
           "z[0] = s; s += z[0]; y[i] = s;",                       // the same through one place
           "y[i] = s; float f = x[i]; if (s > 3) f = 2; s += f;",  // needs the value to know what to add
           "s += x[i]; if (s > 90) break; y[i] = s;",              // ends early
       })
    EXPECT_EQ(scans_in(scan_over("float", "0", body)), 0u) << body;
}

TEST(Scan, NeedsLeaveToRound) {
  Snippet exact = scan_over("float", "0", "s += x[i]; y[i] = s;");
  EXPECT_EQ(scans_in(exact), 1u);
  exact.exact = true;
  EXPECT_EQ(scans_in(exact), 0u);
}

TEST(Scan, IsTriedFirst) {
  const auto recipes = Workbench(scan_over("float", "0", "s += x[i]; y[i] = s;")).workshop().survey().recipes;
  EXPECT_EQ(recipes.at(0).back().transform, "scan");
}

}  // namespace
}  // namespace hone::frontend
