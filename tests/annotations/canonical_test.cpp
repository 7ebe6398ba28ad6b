#include <gtest/gtest.h>

#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

TEST(Canonical, WritesDefaultsExplicitly) {
  EXPECT_EQ(canonical_of("kernel in(x[n]) problem(n=1<<20) launch(grid(n/256), block(256)) init(x: normal)"),
            "kernel in(x[0 : n]) problem(n=1 << 20, weight=1) init(x: normal(0, 1)) "
            "launch(grid(n / 256, 1, 1), block(256, 1, 1), shared(0)) threads(1)");
}

TEST(Canonical, GivesSameMeaningSameSpelling) {
  EXPECT_EQ(
      canonical_of("kernel out(y[0:n]) in(x[0:n], w[0:n]) problem(k=2,n=1<<20) exact"),
      canonical_of("kernel, in(w[ n ]) in(x[n]) \\\n exact /* ints */ out(y[n]) problem(n=1 << 20, k=2, weight=1)"));
  EXPECT_EQ(canonical_of("kernel alias(b, a) alias(d, c) tolerance(z, y: ulp=1)"),
            canonical_of("kernel tolerance(y,z:ulp=1) alias(c,d) alias(a,b)"));
}

TEST(Canonical, StartsIndexAtZeroByDefault) {
  EXPECT_EQ(canonical_of("kernel init(x: index(n))"), canonical_of("kernel init(x: index(0,n))"));
}

TEST(Canonical, GivesDifferentMeaningsDifferentSpellings) {
  EXPECT_NE(canonical_of("kernel in(x[n])"), canonical_of("kernel inout(x[n])"));
  EXPECT_NE(canonical_of("kernel in(x[1:n])"), canonical_of("kernel in(x[n])"));
  EXPECT_NE(canonical_of("kernel problem(n=a-b)"), canonical_of("kernel problem(n=a - -b)"));
  EXPECT_NE(canonical_of("kernel problem(n=4)"), canonical_of("kernel problem(n=4) problem(n=4)"));
  EXPECT_NE(canonical_of("kernel tolerance(ulp=1)"), canonical_of("kernel tolerance(y: ulp=1)"));
  EXPECT_NE(canonical_of("kernel in(A[m][k])"), canonical_of("kernel in(A[k][m])"));
}

TEST(Canonical, KeepsBlanksInLiterals) {
  EXPECT_NE(canonical_of("kernel init(x: file(\"a b\"))"), canonical_of("kernel init(x: file(\"ab\"))"));
  EXPECT_EQ(canonical_of("kernel problem(c=L'  ')"), "kernel problem(c=L'  ', weight=1) threads(1)");
}

TEST(Canonical, IgnoresNameClause) {
  EXPECT_EQ(canonical_of("kernel name(a)"), canonical_of("kernel name(b)"));
}

// So that kernels without the clause keep the keys that they had before there was one.
TEST(Canonical, WritesFixedOnlyWhenScalarsAreFixed) {
  EXPECT_EQ(canonical_of("kernel problem(a=1)"), "kernel problem(a=1, weight=1) threads(1)");
  EXPECT_EQ(canonical_of("kernel fixed(b) problem(a=1,b=2) name(x) fixed(a)"),
            "kernel problem(a=1, b=2, weight=1) threads(1) fixed(a, b)");
}

TEST(Canonical, ParsesBackToSameText) {
  const std::string text = canonical_of(
      "kernel in(x[a ? 1 : 2 : n], y[n]) out(z[:n][4]) problem(n=f<int, 2>(3), c='\\'') init(y: file(\"a\\\\b\"), x: "
      "index(0,n))"
      " tolerance(rtol=1e-3,atol=0) tolerance(z: exact) launch(grid(1,2,3),block(4),shared(5)) instantiate(T=A<B<int>>)"
      " alias(x,y) threads(2) stream(s) workload(a::b) fixed(n, c) name(\"q\")");
  EXPECT_EQ(canonical_of(text), text);
}

TEST(Canonical, KeepsTokensApartWhenParsedBack) {
  for (const char* text :
       {"kernel tolerance(y, exact: ulp=4)", "kernel tolerance(ulp, rtol, atol: rtol=1, atol=2)",
        "kernel problem(a=x<y, b=c>(d)) instantiate(T=p>(1), C=A<B)", "kernel in(x[::a:::b], s[0:n].w[0:k]|null)",
        "kernel problem(n=f<::g>(1), m=a<b ?::c:d, k=- -1, l=a . 5, o=u8 \"x\", p=1 .. 2)",
        "kernel launch(grid(a<b, c>), block(x<y)) init(x: uniform(a<b, c>d))"}) {
    const std::string once = canonical_of(text);
    EXPECT_EQ(canonical_of(once), once) << text;
  }
}

TEST(Canonical, RejectsValueStartingWithEqualsSign) {
  EXPECT_EQ(error_of("kernel problem(n= ==4)"), "10:31: unexpected '=='; expected a value for 'n'");
}

TEST(Canonical, RejectsDirectiveWhoseCanonicalTextIsTooLong) {
  std::string signs;
  for (int i = 0; i < 20'000; ++i) signs += "-~";
  EXPECT_EQ(error_of("kernel threads(" + signs + "1)"),
            "10:13: the directive is longer than 64 KiB with its defaults written out; expected a shorter one");
}

}  // namespace
}  // namespace hone::annotations
