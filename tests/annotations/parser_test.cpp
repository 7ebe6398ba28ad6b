#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Expression at(std::string text, unsigned line, unsigned column) {
  return {std::move(text), {line, column}};
}
Name name_at(std::string text, unsigned line, unsigned column) {
  return {std::move(text), {line, column}};
}

TEST(Parser, ReadsReadmeDirective) {
  const Directive directive = parsed(
      " kernel in(src[0:w*h]) out(dst[0:w*h]) \\\n"
      "    problem(w=1920, h=1080) problem(w=641, h=479)  tolerance(rtol=1e-5)\n");
  Directive expected;
  expected.location = {10, 14};
  expected.sections = {{Role::in, name_at("src", 10, 24), {{at("0", 10, 28), at("w*h", 10, 30)}}},
                       {Role::out, name_at("dst", 10, 40), {{at("0", 10, 44), at("w*h", 10, 46)}}}};
  expected.problems = {
      {{11, 5}, {{name_at("w", 11, 13), at("1920", 11, 15)}, {name_at("h", 11, 21), at("1080", 11, 23)}}, {}},
      {{11, 29}, {{name_at("w", 11, 37), at("641", 11, 39)}, {name_at("h", 11, 44), at("479", 11, 46)}}, {}}};
  expected.tolerances = {{{11, 52}, {}, at("1e-5", 11, 67), {}, {}, false}};
  EXPECT_EQ(directive, expected);
}

TEST(Parser, AcceptsKernelWithoutClauses) {
  Directive expected;
  expected.location = {10, 13};
  EXPECT_EQ(parsed("kernel"), expected);
}

TEST(Parser, ReadsMemberBehindArrayOfStructs) {
  const Directive d = parsed("kernel in(g->layers[0:n].w[0:k][4], x[0:n])");
  ASSERT_EQ(d.sections.size(), 2u);
  EXPECT_EQ(d.sections[0].name.text, "g->layers.w");
  EXPECT_EQ(d.sections[0].structs, "g->layers");
  ASSERT_EQ(d.sections[0].dimensions.size(), 3u);
  EXPECT_EQ(d.sections[0].dimensions[1].length.text, "k");
  EXPECT_EQ(d.sections[1].structs, "");
}

TEST(Parser, ReadsSectionsOfOneOrMoreDimensions) {
  const Directive d = parsed("kernel inout(A[0:m][k0:k], x[n], y[:n])");
  ASSERT_EQ(d.sections.size(), 3u);
  EXPECT_EQ(d.sections[0].role, Role::inout);
  EXPECT_THAT(d.sections[0].dimensions,
              ElementsAre(Dimension{at("0", 10, 28), at("m", 10, 30)}, Dimension{at("k0", 10, 33), at("k", 10, 36)}));
  EXPECT_THAT(d.sections[1].dimensions, ElementsAre(Dimension{{}, at("n", 10, 42)}));
  EXPECT_THAT(d.sections[2].dimensions, ElementsAre(Dimension{{}, at("n", 10, 49)}));
}

TEST(Parser, KeepsColonOfConditionalInExtent) {
  const Directive d = parsed("kernel in(x[a ? 1 : 2 : b ? n : ns::k])");
  EXPECT_EQ(d.sections[0].dimensions[0].start->text, "a ? 1 : 2");
  EXPECT_EQ(d.sections[0].dimensions[0].length.text, "b ? n : ns::k");
}

TEST(Parser, DoesNotSplitAtCommasInBrackets) {
  const Directive d = parsed("kernel problem(n=f(1, 2), k=std::array{1, 2}[0], c=',', s=sizeof(\",)\"))");
  ASSERT_EQ(d.problems[0].values.size(), 4u);
  EXPECT_EQ(d.problems[0].values[0].value.text, "f(1, 2)");
  EXPECT_EQ(d.problems[0].values[1].value.text, "std::array{1, 2}[0]");
  EXPECT_EQ(d.problems[0].values[2].value.text, "','");
  EXPECT_EQ(d.problems[0].values[3].value.text, "sizeof(\",)\")");
}

TEST(Parser, DoesNotSplitAtCommasInTemplateArguments) {
  const Directive d = parsed("kernel instantiate(T=std::map<int, std::array<float, 4>>, Op=std::plus<>, N=4)");
  ASSERT_EQ(d.instantiations[0].arguments.size(), 3u);
  EXPECT_EQ(d.instantiations[0].arguments[0].value.text, "std::map<int, std::array<float, 4>>");
  EXPECT_EQ(d.instantiations[0].arguments[1].value.text, "std::plus<>");
  EXPECT_EQ(d.instantiations[0].arguments[2].name, name_at("N", 10, 87));
}

TEST(Parser, DoesNotMistakeComparisonsForTemplateArguments) {
  const Directive d = parsed("kernel init(x: uniform(a<b, c>d)) problem(n=a<b, k=c>d)");
  EXPECT_THAT(d.inits[0].arguments, ElementsAre(at("a<b", 10, 36), at("c>d", 10, 41)));
  EXPECT_EQ(d.problems[0].values.size(), 2u);
}

TEST(Parser, ReadsProblemWeightApartFromParameters) {
  const Directive d = parsed("kernel problem(n=4, weight=0.5)");
  EXPECT_EQ(d.problems[0].values.size(), 1u);
  EXPECT_EQ(d.problems[0].weight, at("0.5", 10, 40));
}

TEST(Parser, ReadsEveryDistribution) {
  const Directive d = parsed(
      "kernel init(a: uniform(-1,1), b: normal(0, 2), c: index(0, n), d: sorted, e: permutation)"
      " init(f: constant(7), g: zeros, h: file(\"data/\\\"x\\\".npy\"), i: normal, j: zeros(), k: sorted(0, n), l: "
      "uniform)");
  std::vector<std::string> names;
  std::vector<Distribution> distributions;
  for (const Init& init : d.inits) names.push_back(init.name.text), distributions.push_back(init.distribution);
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"));
  using D = Distribution;
  EXPECT_THAT(distributions, ElementsAre(D::uniform, D::normal, D::index, D::sorted, D::permutation, D::constant,
                                         D::zeros, D::file, D::normal, D::zeros, D::sorted, D::uniform));
  EXPECT_THAT(d.inits[0].arguments, ElementsAre(at("-1", 10, 36), at("1", 10, 39)));
  EXPECT_EQ(d.inits[7].path, "data/\"x\".npy");
  EXPECT_EQ(d.inits[8].arguments.size(), 2u) << "the standard normal is written out";
  EXPECT_THAT(d.inits[9].arguments, IsEmpty());
}

TEST(Parser, ReadsEveryToleranceAndItsOutputNames) {
  const Directive d = parsed("kernel tolerance(rtol=1e-3, atol=1e-6) tolerance(y, z: ulp=4) tolerance(w: exact)");
  ASSERT_EQ(d.tolerances.size(), 3u);
  EXPECT_EQ(d.tolerances[0].atol->text, "1e-6");
  EXPECT_THAT(d.tolerances[1].names, ElementsAre(name_at("y", 10, 62), name_at("z", 10, 65)));
  EXPECT_EQ(d.tolerances[1].ulp->text, "4");
  EXPECT_TRUE(d.tolerances[2].exact);
}

TEST(Parser, PutsToleranceForAllOutputsFirst) {
  const Directive d = parsed("kernel tolerance(y: exact) tolerance(rtol=1)");
  EXPECT_TRUE(d.tolerances[0].names.empty());
  EXPECT_TRUE(d.tolerances[1].exact);
}

TEST(Parser, ReadsExactAsToleranceExact) {
  const Directive bare = parsed("kernel exact");
  ASSERT_EQ(bare.tolerances.size(), 1u);
  EXPECT_TRUE(bare.tolerances[0].exact);
  EXPECT_EQ(canonical(bare), canonical_of("kernel tolerance(exact)"));
}

TEST(Parser, ReadsLaunchPartsInAnyOrder) {
  const Directive d = parsed("kernel launch(block(32, 8), shared(n*sizeof(float)), grid((n+31)/32))");
  EXPECT_THAT(d.launch->grid, ElementsAre(at("(n+31)/32", 10, 71)));
  EXPECT_THAT(d.launch->block, ElementsAre(at("32", 10, 33), at("8", 10, 37)));
  EXPECT_EQ(d.launch->shared->text, "n*sizeof(float)");
}

TEST(Parser, ReadsSingleValueClauses) {
  const Directive d =
      parsed("kernel threads(2*k) stream(s) workload(::app::make_case) name(blur-3x3.v2) alias(x, y, z)");
  EXPECT_EQ(d.threads, at("2*k", 10, 28));
  EXPECT_EQ(d.stream, name_at("s", 10, 40));
  EXPECT_EQ(d.workload, name_at("::app::make_case", 10, 52));
  EXPECT_EQ(d.name, name_at("blur-3x3.v2", 10, 75));
  EXPECT_EQ(d.aliases[0].names.size(), 3u);
}

TEST(Parser, CollectsScalarsOfAllFixedClauses) {
  const Directive d = parsed("kernel fixed(a, b) problem(a=1, b=2, c=3) fixed(c)");
  EXPECT_THAT(d.fixed, ElementsAre(name_at("a", 10, 26), name_at("b", 10, 29), name_at("c", 10, 61)));
}

TEST(Parser, ReadsNameFromString) {
  EXPECT_EQ(parsed("kernel name(\"blur, 3 by 3\")").name->text, "blur, 3 by 3");
}

TEST(Parser, AcceptsBlanksOrCommasBetweenClauses) {
  EXPECT_EQ(canonical_of("kernel in(x[n]),out(y[n]) , problem(n=1)"),
            canonical_of("kernel in(x[n])out(y[n])problem(n=1)"));
}

TEST(Parser, ReadsSeveralInstantiateClauses) {
  EXPECT_EQ(
      parsed("kernel instantiate(T=float) instantiate(T=unsigned long)").instantiations[1].arguments[0].value.text,
      "unsigned long");
}

}  // namespace
}  // namespace hone::annotations
