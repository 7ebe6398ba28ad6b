// Loops that `continue` compute the same without it, and what was skipped stands under a condition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Genome no_continue{{"no_continue", 0, {}}};

Snippet skips(const std::string& lines) {
  return {"void kernel(const float* x, const std::vector<int>& v, float* y, float* r, int n) {\n" + lines + "}",
          "auto x = numbers<float>(3 * n + 9), y = numbers<float>(3 * n + 9); auto v = numbers<int>(n);"
          "std::vector<float> r(40); kernel(x.data(), v, y.data(), r.data(), n); keep(y); keep(r);",
          "#include <cmath>\n#include <limits>\n#include <vector>\n"};
}

std::string without(const std::string& lines) {
  Workbench bench(skips(lines));
  std::string text = bench.apply(no_continue);
  EXPECT_EQ(bench.difference(text), "") << text;
  return text;
}

TEST(NoContinue, PutsWhatIsSkippedUnderACondition) {
  const std::string text = without(R"(for (int i = 0; i < n; ++i) {
  if (x[i] >= 0) continue;
  if (v[i] == 3) continue;
  const float square = x[i] * x[i];
  if (!(square < 50)) { y[i] -= 1; continue; }
  y[i] += square;
}
)");
  EXPECT_THAT(text, HasSubstr("if (!(x[i] >= 0)) {"));  // NaN is neither
  EXPECT_THAT(text, HasSubstr("if (v[i] != 3) {"));
  EXPECT_THAT(text, HasSubstr("} else {"));
  EXPECT_THAT(text, Not(HasSubstr("continue")));
}

TEST(NoContinue, MeansTheSameInAnyLoop) {
  const char* const bodies[] = {
      "for (int i = 0; i < n; ++i) if (x[i] < 0) continue; else y[i] = x[i];",
      "for (int i = 0; i < n; ++i) { if (x[i] < 0) r[0] += 1; else continue; r[1] += i; }",
      "for (int i = 0; i < n; ++i) { if (x[i] < 0) { r[0] += 1; continue; } else { r[1] += 1; } r[2] += i; }",
      "for (int i = 0; i < n; ++i) { if (x[i] < 0) { r[0] += 1; } else { r[1] += 1; continue; } r[2] += i; }",
      "for (int i = 0; i < n; ++i) { if (i % 5 == 0) continue; else if (i % 3 == 0) { r[3] += 1; continue; } r[4] += "
      "i; }",
      "for (int i = 0; i < n; ++i) { if (i % 5 == 0) { continue; } else if (i % 3) r[3] += 1; else continue; r[4] += "
      "i; }",
      "for (int i = 0; i < n; ++i) if (i % 2) if (x[i] < 0) continue; else r[5] += i; else r[6] += 1;",
      "for (int i = 0; i < n; ++i) if (i % 2) if (x[i] < 0) r[7] += 1; else continue; else r[8] += 1;",
      "for (int i = 0; i < n; ++i) { if (i & 1) { if (x[i] < 0) continue; r[9] += i; } r[10] += i; }",
      "for (int i = 0; i < n; ++i) { int k = v[i]; { k += 1; if (k < 0) { k = 7; if (i & 1) { r[3] += k; continue; } "
      "k = 9; } int j = k; r[11] += j; } if (k == 9) { r[12] += 2; continue; } r[13] += k; }",
      "for (int i = 0; i < n; ++i) { r[14] += 1; if (v[i] < -3) { int j = i; r[15] += j; continue; } int j = 2 * i; "
      "r[16] += j; continue; }",
      "for (int i = 0; i < n; ++i) { for (int j = 0; j < 5; ++j) { if (j == i) continue; r[17] += j; } if (i > 9) "
      "continue; for (int j = 0; j < i; ++j) { if (x[j] > 0) continue; if (j > 7) break; r[18] += 1; } r[19] += i; }",
      "for (int e : v) { if (e > 0) continue; r[20] += e; }",
      "for (int e : v) { switch (e & 3) { case 0: r[21] += 1; continue; case 1: if (e < 0) continue; r[22] += e; "
      "break; "
      "default: r[23] += 1; } }",
      "for (int e : v) { if (e & 4) { switch (e & 3) { case 0: r[21] += 1; continue; case 1: r[22] += e; } } r[24] += "
      "e; }",
      "int i = 0; while (i < n) { if (x[i] < 0) { ++i; continue; } y[i] = 0; if (i % 3 == 0) { r[25] += i; ++i; "
      "continue; } r[26] += i; ++i; }",
      "int i = 0; while (i < n) { if (x[i] < 0) { i += 1; continue; } y[i] += 1; ++i; }",
      "int i = n; do { if (i < 3) continue; r[27] += i; } while (--i > 0);",
      "for (int i = 0;; ++i) { if (i >= n) break; if (x[i] == 0) continue; r[28] += x[i] / 8; }",
      "for (int i = 0; i < n; ++i) { if (i * x[i] != 0 || v[i]) { } else continue; if (const int k = v[i] & 7) r[29] "
      "+= k; }",
  };
  std::string lines;
  for (const char* body : bodies) lines += std::string("{\n") + body + "\n}\n";
  const std::string text = without(lines);
  EXPECT_THAT(text, Not(HasSubstr("continue")));
}

TEST(NoContinue, KeepsAStepBehindEverything) {
  const std::string text = without("int i = 0; while (i < n) { if (x[i] < 0) { ++i; continue; } y[i] = 1; ++i; }");
  EXPECT_THAT(text, HasSubstr("y[i] = 1;\n    }\n    ++i;"));
}

TEST(NoContinue, LetsLoopsCountAndBranchesChoose) {
  Workbench bench(skips("int i = 0; while (i < n) { if (x[i] < 0) { ++i; continue; } y[i] = x[i]; ++i; }"));
  const std::string text = bench.apply({{"no_continue", 0, {}}, {"canonical_loop", 0, {}}, {"select", 0, {}}});
  EXPECT_THAT(text, HasSubstr("for (int j = 0; j < n; ++j)"));
  EXPECT_THAT(text, HasSubstr("y[j] = (!(x[j] < 0)) ? (x[j]) : y[j];"));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(NoContinue, KeepsWhatItDoesNotUnderstand) {
  for (const char* lines : {
           "for (int i = 0; i < n; ++i) { y[i] += 1; }",
           "for (int i = 0; i < n; ++i) { if (x[i] < 0) continue; if (x[i] > 5) goto next; r[0] += i; next: r[1] += i; "
           "}",
           "for (int i = 0; i < n; ++i) { if (const int k = v[i]) continue; r[0] += i; }",
           "for (int i = 0; i < n; ++i) { switch (v[i] & 1) { case 0: switch (i & 1) { case 1: continue; } r[0] += 1; "
           "} }",
           "int i = 0; switch (n & 1) { case 0: for (; i < n; ++i) { if (i & 2) continue; case 1: r[0] += 1; i = n; } "
           "}",
           "for (int i = 0; i < n; ++i) { try { if (x[i] < 0) continue; } catch (...) { } r[0] += i; }",
       }) {
    Workbench bench(skips(lines));
    EXPECT_TRUE(bench.workshop().render(no_continue).applied.empty()) << lines;
  }
}

TEST(NoContinue, SetsAFlagInC) {
  Snippet snippet =
      skips("for (int i = 0; i < n; ++i) { if (i & 1) { y[i] = 3; if (x[i] < 0) continue; } r[0] += i; }");
  snippet.kernel =
      "void kernel(const float* x, float* y, float* r, int n) {\n"
      "int i;\nfor (i = 0; i < n; ++i) { if (i & 1) { y[i] = 3; if (x[i] < 0) continue; } r[0] += i; }\n}";
  snippet.prologue = "";
  snippet.language = "-std=c99";
  Workbench bench(snippet);
  EXPECT_THAT(bench.workshop().render(no_continue).source, HasSubstr("skips"));
}

}  // namespace
}  // namespace hone::frontend
