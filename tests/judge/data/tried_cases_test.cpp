#include "tool/judge/data/tried_cases.h"

#include <gtest/gtest.h>

#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

const ScalarType single{ScalarKind::floating, 4}, integer{ScalarKind::signed_integer, 4};

// void f(const float* x, int n, float alpha), with n and alpha set by the problem.
KernelSpec spec() {
  Parameter x{.name = "x", .pointer = true, .element = {.size = 4, .fields = {{.type = single}}}};
  Parameter n{.name = "n", .element = {.size = 4, .fields = {{.type = integer}}}};
  Parameter alpha{.name = "alpha", .element = {.size = 4, .fields = {{.type = single}}}};
  KernelSpec spec;
  spec.parameters = {x, n, alpha};
  spec.problems = {{.assigned = {1, 2}}};
  return spec;
}

Case of(const KernelSpec& spec, int n, float alpha, Special special = Special::none) {
  Case c{.special = {special, 0, 0}};
  c.scalars.resize(spec.parameters.size());
  store(bytes_of(c.scalars[1]), n);
  store(bytes_of(c.scalars[2]), alpha);
  return c;
}

TEST(TriedCases, SummarizesSizeRangeAndDistinctValues) {
  const KernelSpec spec = judge::spec();
  Tried tried;
  note_case(tried, spec, of(spec, 17, 0.5F));
  note_case(tried, spec, of(spec, 0, 0.5F));
  note_case(tried, spec, of(spec, 5, 0.5F, Special::nan));
  tried.note_check("guard pages");
  const std::vector<TriedLine> expected{
      {"sizes", "n 0 to 17, alpha 0.5; 3 cases"}, {"values", "uniform, nan"}, {"checks", "guard pages"}};
  EXPECT_EQ(lines_of(tried), expected);
}

TEST(TriedCases, MergesTwoJudgments) {
  Tried first, second;
  first.cases = 2;
  first.note_scalar("n", 3);
  first.note_values("uniform");
  second.cases = 1;
  second.note_scalar("n", -1);
  second.note_values("sorted");
  second.note_values("uniform");
  second.note_not_tried("data races: no ThreadSanitizer");
  first.add(second);
  const std::vector<TriedLine> expected{
      {"sizes", "n -1 to 3; 3 cases"}, {"values", "uniform, sorted"}, {"not tried", "data races: no ThreadSanitizer"}};
  EXPECT_EQ(lines_of(first), expected);
}

TEST(TriedCases, AreEmptyWhenNothingWasTried) {
  EXPECT_TRUE(lines_of(Tried()).empty());
}

}  // namespace
}  // namespace hone::judge
