#include <gtest/gtest.h>

#include <algorithm>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

bool uses(const Genome& genome, const std::string& transform) {
  return std::any_of(genome.begin(), genome.end(), [&](const Gene& gene) { return gene.transform == transform; });
}

// Every recipe, exactly as proposed, does something and computes what the original computes.
void expect_right(const Snippet& snippet, double tolerance) {
  Workbench bench(snippet);
  Catalog catalog = bench.workshop().survey();
  ASSERT_FALSE(catalog.recipes.empty());
  for (std::size_t i = 0; i < std::min<std::size_t>(catalog.recipes.size(), 3); ++i)
    EXPECT_EQ(bench.difference(bench.apply(catalog.recipes[i]), tolerance), "") << "recipe " << i;
  for (const Genome& recipe : catalog.recipes) bench.apply(recipe);
}

const Snippet column_sums{
    R"(void kernel(const float* m, float* sums, int rows, int cols) {
  for (int c = 0; c < cols; ++c) { sums[c] = 0; for (int r = 0; r < rows; ++r) sums[c] += m[r * cols + c]; }
})",
    "auto m = numbers<float>(n * (n + 3)), s = numbers<float>(n + 3); kernel(m.data(), s.data(), n, n + 3); keep(s);"};

const Snippet bordered{
    R"(void kernel(const int* in, int* out, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int sum = 0;
      for (int d = -1; d <= 1; ++d)
        if (x + d >= 0 && x + d < w) sum += in[y * w + x + d];
      out[y * w + x] = sum;
    }
})",
    "auto a = numbers<int>(n * 4), b = numbers<int>(n * 4); kernel(a.data(), b.data(), n, 4); keep(b);"};

TEST(Recipes, ReorderColumnWalkAlongMemory) {
  expect_right(column_sums, 1e-5);
  Genome first = Workbench(column_sums).workshop().survey().recipes.at(0);
  EXPECT_TRUE(uses(first, "vectorise_outer") || uses(first, "interchange"));
}

TEST(Recipes, SplitBorderOfFilterFirst) {
  expect_right(bordered, 0);
  EXPECT_TRUE(uses(Workbench(bordered).workshop().survey().recipes.at(0), "split_index"));
}

TEST(Recipes, BeginWithWhatUntiesTheLoop) {
  const auto first = [](const std::string& body) {
    const std::string kernel =
        "int kernel(float* a, float* b, const int* s, int n) {\n  int k = 0;\n" + body + "\n  return k;\n}";
    return Workbench(
               {kernel,
                "auto a = numbers<float>(n), b = a; auto s = numbers<int>(n); keep(std::vector<int>{kernel(a.data(), "
                "b.data(), s.data(), n)}); keep(a); keep(b);"})
        .workshop()
        .survey()
        .recipes.at(0);
  };
  EXPECT_TRUE(
      uses(first("for (int i = 1; i < n - 1; ++i) { a[i] = b[i - 1] * 2; b[i] = a[i + 1] * b[i]; }"), "fission"));
  EXPECT_TRUE(uses(first("while (k < n && s[k] < 5) ++k;"), "early_exit"));
  EXPECT_TRUE(uses(first("for (int i = 0; i < n; ++i) if (s[i] > 0) a[k++] = b[i];"), "pack"));
}

TEST(Recipes, UseThreadsFirstWhenAllowed) {
  Snippet threaded = column_sums;
  threaded.threads = 2;
  expect_right(threaded, 1e-5);
  EXPECT_TRUE(uses(Workbench(threaded).workshop().survey().recipes.at(0), "parallel"));
}

TEST(Recipes, AreAsManyAsWereFoundBeforeTheTimeWasUp) {
  Workbench bench(bordered);
  std::stop_source over;
  over.request_stop();
  EXPECT_TRUE(bench.workshop().survey(over.get_token()).recipes.empty());
  const Genome split{{"split_index", 0, {}}};
  EXPECT_TRUE(bench.workshop().render(split, over.get_token()).applied.empty());
  // What was not looked at for want of time is not taken for what does not apply.
  EXPECT_EQ(bench.workshop().render(split).applied, split);
  EXPECT_EQ(bench.workshop().survey().recipes, Workbench(bordered).workshop().survey().recipes);
}

TEST(Recipes, AreDeterministic) {
  EXPECT_EQ(Workbench(bordered).workshop().survey().recipes, Workbench(bordered).workshop().survey().recipes);
}

TEST(Recipes, ApplyToCodeWithoutLoops) {
  Workbench bench({"int kernel(int a, int b) { return a * b; }", ""});
  for (const Genome& recipe : bench.workshop().survey().recipes) bench.apply(recipe);
}

}  // namespace
}  // namespace hone::frontend
