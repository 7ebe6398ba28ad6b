// The choice by size in front of a variant: which condition is written, and that both bodies stand where they belong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/transforms/workshop.h"

namespace hone::frontend {
namespace {

using ::testing::HasSubstr;

class ChoiceBySize : public ::testing::Test {
 protected:
  // The candidate of the genome with the choice behind it; "" where the choice does not apply.
  static std::string chosen(const Snippet& snippet, Genome genome, const std::vector<int>& originals) {
    const KernelSpec spec = snippet.kernel();
    const auto workshop = Workshop::open(spec, snippet.command(), Options{});
    if (!workshop) return workshop.error().message();
    genome.push_back({choice_by_size, 0, originals});
    const Rendered rendered = (*workshop)->render(genome);
    if (rendered.applied.size() != genome.size()) return "";
    auto gate = Gate::open(spec, snippet.command(), Options{});
    EXPECT_TRUE(gate);
    if (gate) EXPECT_EQ(gate->check(rendered.source), "") << rendered.source;
    return rendered.source;
  }

  static Snippet scaled(const std::string& problems) {
    return Snippet("#pragma hone kernel in(x[0:n*m]) out(y[0:n*m]) " + problems + R"(
void scale(const float* x, float* y, int n, int m) {
  // row by row
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) y[i * m + j] = 2 * x[i * m + j];
}
)");
  }
};

TEST_F(ChoiceBySize, KeepsOriginalBelowSmallestProblemThatGains) {
  const std::string text =
      chosen(scaled("problem(n=64, m=100) problem(n=1024, m=100) problem(n=512, m=100)"), {{"unroll", 0, {4}}}, {0});
  EXPECT_THAT(text, HasSubstr("if (n < 512) {"));
  EXPECT_LT(text.find("// row by row"), text.find("return;")) << text;
  EXPECT_GT(text.find("j += 4"), text.find("return;")) << text;
}

TEST_F(ChoiceBySize, KeepsOriginalAboveLargestProblemThatGains) {
  EXPECT_THAT(chosen(scaled("problem(n=64, m=8) problem(n=1024, m=8)"), {{"unroll", 0, {4}}}, {1}),
              HasSubstr("if (n > 64) {"));
}

TEST_F(ChoiceBySize, ComparesProductOfAllSizesThatGrow) {
  EXPECT_THAT(chosen(scaled("problem(n=64, m=8) problem(n=1024, m=512)"), {{"unroll", 0, {4}}}, {0}),
              HasSubstr("if (1LL * n * m < 524288) {"));
}

TEST_F(ChoiceBySize, ComparesWorkWhereNoSizeAloneTellsProblemsApart) {
  EXPECT_THAT(chosen(scaled("problem(n=16, m=9) problem(n=9, m=1000) problem(n=1000, m=8)"), {{"unroll", 0, {4}}}, {0}),
              HasSubstr("if (1LL * n * m < 8000) {"));
}

TEST_F(ChoiceBySize, LeavesVariantAsItIsWhereNoSizeTellsProblemsApart) {
  const Snippet between = scaled("problem(n=8, m=8) problem(n=64, m=8) problem(n=512, m=8)");
  EXPECT_EQ(chosen(between, {{"unroll", 0, {4}}}, {1}), "");
  for (const std::vector<int>& absurd : {std::vector<int>{}, {0, 1, 2}, {3}, {-1}})
    EXPECT_EQ(chosen(between, {{"unroll", 0, {4}}}, absurd), "");
  EXPECT_EQ(chosen(scaled("problem(n=8, m=8)"), {{"unroll", 0, {4}}}, {0}), "");
}

TEST_F(ChoiceBySize, ReturnsWhatOriginalReturns) {
  const std::string text = chosen(Snippet(R"(namespace app {
#pragma hone kernel in(x[0:n]) problem(n=100) problem(n=100000)
extern "C" double total(const double* x, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += x[i];
  return sum;
}
})"),
                                  {{"lanes", 0, {8}}}, {0});
  EXPECT_THAT(text, HasSubstr("if (n < 100000) {"));
  EXPECT_EQ(text.find("return;"), std::string::npos) << text;
}

TEST_F(ChoiceBySize, AsksContainerForItsSize) {
  EXPECT_THAT(chosen(Snippet(R"(#include <vector>
#pragma hone kernel inout(v) problem(v.size()=100) problem(v.size()=100000)
void twice(std::vector<float>& v) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= 2;
}
)"),
                     {}, {0}),
              HasSubstr("if (v.size() < 100000) {"));
}

TEST_F(ChoiceBySize, StandsInInstanceOfTemplateAndInMember) {
  EXPECT_THAT(
      chosen(Snippet(R"(#pragma hone kernel instantiate(T=float) in(x[0:n]) out(y[0:n]) problem(n=64) problem(n=4096)
template <class T>
void scale(const T* x, T* y, int n) {
  for (int i = 0; i < n; ++i) {
    const T twice = x[i] + x[i];
    y[i] = twice;
  }
}
void use(const float* x, float* y) { scale<float>(x, y, 8); }
)"),
             {}, {0}),
      HasSubstr("if (n < 4096) {"));
  EXPECT_THAT(chosen(Snippet(R"(struct Scale {
  float by;
  void run(const float* x, float* y, int n) const;
};
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64, this->by=2) problem(n=4096, this->by=2)
void Scale::run(const float* x, float* y, int n) const {
  for (int i = 0; i < n; ++i) y[i] = by * x[i];
}
)"),
                     {}, {0}),
              HasSubstr("if (n < 4096) {"));
}

TEST_F(ChoiceBySize, StandsInFrontOfTextThatNoGenomeWrote) {
  const Snippet snippet = scaled("problem(n=64, m=8) problem(n=1024, m=8)");
  const KernelSpec spec = snippet.kernel();
  const auto workshop = Workshop::open(spec, snippet.command(), Options{}, Form::shortest);
  ASSERT_TRUE(workshop);
  const std::string model = R"(#include <cstring>
static float twice(float v) { return v + v; }
void scale(const float* __restrict x, float* __restrict y, int n, int m) {
  for (int k = 0; k < n * m; ++k) y[k] = twice(x[k]);
}
)";
  const auto text = (*workshop)->with_choice(model, {0});
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("#include <cstring>"));
  EXPECT_LT(text->find("if (n < 1024) {"), text->find("// row by row")) << *text;
  EXPECT_LT(text->find("return;"), text->find("int k = 0")) << *text;
  std::string other_names = model;
  for (std::size_t at; (at = other_names.find("x")) != std::string::npos;) other_names.replace(at, 1, "from");
  EXPECT_FALSE((*workshop)->with_choice(other_names, {0})) << "the original's body means nothing there";
  EXPECT_FALSE((*workshop)->with_choice("int scale;", {0}));
}

TEST_F(ChoiceBySize, IsWrittenInCToo) {
  EXPECT_THAT(chosen(Snippet(R"(#pragma hone kernel in(x[0:n*m]) out(y[0:n*m]) problem(n=16, m=16) problem(n=256, m=256)
void scale(const float *x, float *y, int n, int m) {
  int i;
  for (i = 0; i < n * m; i++) y[i] = 2 * x[i];
}
)",
                             {"-std=gnu99"}, "main.c"),
                     {{"unroll", 0, {4}}}, {0}),
              HasSubstr("if (1LL * n * m < 65536) {"));
}

}  // namespace
}  // namespace hone::frontend
