// Loops that compilers leave scalar: what unties them keeps every result.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

// Loops of which compilers vectorize none as they stand. `n` counts far beyond a strip.
struct Untied {
  std::string name, body;
};

void PrintTo(const Untied& untied, std::ostream* out) {
  *out << untied.name;
}

class FissionUnties : public testing::TestWithParam<Untied> {};

TEST_P(FissionUnties, KeepsEveryResult) {
  Workbench bench(
      {"float kernel(float* a, float* b, float* c, const float* d, int n) {\n  float s = 0.25f, t;\n"
       "  for (int i = 1; i < n - 1; ++i) {\n    " +
           GetParam().body + "\n  }\n  return s;\n}",
       "auto a = numbers<float>(n), b = a, c = a, d = a;"
       "for (int i = 0; i < n; ++i) { b[i] = a[n - 1 - i]; c[i] = 1 / (1 + a[i] * a[i]); }"
       "const float s = n ? kernel(a.data(), b.data(), c.data(), d.data(), n) : 0;"
       "keep(a); keep(b); keep(c); keep(std::vector<float>{s});"});
  EXPECT_EQ(bench.difference(bench.apply({{"fission", 0, {16}}})), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, FissionUnties,
    testing::Values(
        Untied{"ReadsBeforeItIsOverwritten", "a[i] *= c[i]; b[i] += a[i + 1] * d[i];"},
        Untied{"SecondStatementFeedsFirst", "a[i] = b[i - 1] + c[i] * d[i]; b[i] = b[i + 1] - c[i] * d[i];"},
        Untied{"OldAndNewElement", "a[i] = b[i] * c[i] * d[i]; b[i] = a[i] * a[i + 1] * d[i];"},
        Untied{"CircleThroughOverwrittenRead",
               "a[i] = b[i] + c[i] * d[i]; b[i] = c[i] + b[i]; a[i + 1] = b[i] + a[i + 1] * d[i];"},
        Untied{"RecurrenceBesideUpdates", "a[i] += b[i] * d[i]; c[i] = c[i - 1] * c[i - 1]; a[i] -= b[i] * d[i];"},
        Untied{"ScalarOfIterationBefore", "a[i] = s * d[i]; s = b[i] + c[i]; b[i] = a[i] + d[i];"},
        Untied{"LastChosenScalar", "if (a[i] > 0) s = d[i] * d[i]; b[i] = s * c[i] + d[i]; c[i] = (s + 1) * a[i];"},
        Untied{"ScalarAssignedTwice", "t = a[i] + b[i]; a[i] = t + c[i - 1]; t = c[i] * d[i]; c[i] = t; s = t;"},
        Untied{"SumReadBehindIt", "s += a[i]; b[i] = s * d[i] + c[i]; c[i] = b[i] * b[i] - d[i];"}),
    [](const auto& instance) { return instance.param.name; });

// Data in which a condition holds now and then, so that strips are left at every place.
constexpr std::string_view rare_data =
    "auto a = numbers<float>(n), b = a; auto s = numbers<int>(n); std::vector<float> out(n + 1, 7); std::vector<int> "
    "at(n + 1, 7);"
    "for (int i = 0; i < n; ++i) { b[i] = a[n - 1 - i]; if (i % 41 != 40) s[i] = 5; }"
    "for (int from = 0; from <= n; from += 1 + n / 9) {"
    "  const long found = kernel(a.data(), b.data(), s.data(), out.data(), at.data(), from, n);"
    "  keep(std::vector<double>{double(found)}); keep(out); keep(at); }";

class EarlyExit : public testing::TestWithParam<Untied> {};

TEST_P(EarlyExit, FindsWhatOriginalFinds) {
  Workbench bench(
      {"long kernel(const float* a, const float* b, const int* s, float* out, int* at, int from, int n) {\n"
       "  long found = -1;\n  " +
           GetParam().body + "\n  return found;\n}",
       std::string(rare_data)});
  EXPECT_EQ(bench.difference(bench.apply({{"early_exit", 0, {16}}})), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, EarlyExit,
    testing::Values(
        Untied{"FirstPlace", "for (int i = from; i < n; ++i) if (s[i] != 5) { found = i; break; }"},
        Untied{"PlaceThatOutlivesLoop", "int i; for (i = from; i < n; i++) { if (s[i] != 5) break; } found = i;"},
        Untied{"LengthOfMatch", "int i = from; while (i < n && s[i] == s[from]) ++i; found = i - from;"},
        Untied{"TwoPointers",
               "const int *p = s, *q = s + from, *end = s + n; while (q != end && *p == *q) { p++; q++; }\n"
               "  found = q - s;"},
        Untied{"WorkUntilItEnds",
               "for (int i = from; i < n; ++i) { out[i] = a[i] * 2; if (s[i] != 5 || a[i] > 1e6f) break; }"},
        Untied{"WorkBehindTheQuestion",
               "for (int i = from; i < n; ++i) { const int v = s[i]; if (v < 5) return i; at[i] = v + 1; }"}),
    [](const auto& instance) { return instance.param.name; });

TEST(EarlyExit, LeavesLoopWhoseWorkFeedsTheQuestion) {
  Workbench bench(
      {"long kernel(int* s, int n) { for (int i = 1; i < n; ++i) { s[i] += s[i - 1]; if (s[i] > 90) return i; } "
       "return -1; }",
       "auto s = numbers<int>(n); kernel(s.data(), n); keep(s);"});
  EXPECT_TRUE(bench.workshop().render({{"early_exit", 0, {16}}}).applied.empty());
}

class Pack : public testing::TestWithParam<Untied> {};

TEST_P(Pack, AppendsWhatOriginalAppends) {
  Workbench bench(
      {"long kernel(const float* a, const float* b, const int* s, float* out, int* at, int from, int n) {\n"
       "  int k = 0;\n  " +
           GetParam().body + "\n  return k;\n}",
       std::string(rare_data)});
  EXPECT_EQ(bench.difference(bench.apply({{"pack", 0, {16}}})), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, Pack,
    testing::Values(
        Untied{"ValuesThatPass", "for (int i = from; i < n; ++i) if (a[i] > b[i]) out[k++] = a[i];"},
        Untied{"ValueAndPlace",
               "for (int i = from; i < n; i++) { if (a[i] > 0) { out[k] = a[i] * b[i]; at[k] = i; k += 1; } }"},
        Untied{"CursorThatMovesFirst",
               "int j = -1; for (int i = from; i < n; ++i) if (s[i] == 5) { j++; out[j] = b[i]; } k = j;"},
        Untied{"ThroughPointer",
               "float* p = out; for (int i = from; i < n; ++i) { if (a[i] < b[i]) *p++ = b[i]; }\n  k = p - out;"},
        Untied{
            "AlwaysAndSometimes",
            "int j = 0; for (int i = from; i < n / 2; ++i) { out[j++] = a[i]; if (b[i] > 0) out[j++] = b[i]; } k = j;"},
        Untied{"BothSides",
               "int j = 0; for (int i = from; i < n; ++i) { if (a[i] > 0) out[k++] = a[i]; if (s[i] != 5) at[j++] = i; "
               "}"}),
    [](const auto& instance) { return instance.param.name; });

TEST(Pack, LeavesCursorThatOthersRead) {
  Workbench bench(
      {"int kernel(const float* a, float* out, int* at, int n) { int k = 0; for (int i = 0; i < n; ++i) "
       "{ if (a[i] > 0) out[k++] = a[i]; at[i] = k; } return k; }",
       "auto a = numbers<float>(n); auto out = a; std::vector<int> at(n); kernel(a.data(), out.data(), "
       "at.data(), n); keep(at);"});
  EXPECT_TRUE(bench.workshop().render({{"pack", 0, {16}}}).applied.empty());
}

TEST(Select, ChoosesBitsOfFloatingPointVariable) {
  Workbench bench(
      {"double kernel(const float* a, const double* d, float* y, int n) {\n  float last = 0;\n  double most = -1;\n"
       "  for (int i = 0; i < n; ++i) {\n    if (a[i] > 0) last = a[i] * 2;\n    if (d[i] > most) most = d[i];\n"
       "    y[i] = last;\n  }\n  return most;\n}",
       "auto a = numbers<float>(n), y = a; auto d = numbers<double>(n);"
       "keep(std::vector<double>{kernel(a.data(), d.data(), y.data(), n)}); keep(y);"});
  const std::string text = bench.apply({{"select", 0, {1}}, {"select", 0, {1}}});
  EXPECT_NE(text.find("~mask_2)"), std::string::npos) << text;
  EXPECT_EQ(bench.difference(text), "");
}

TEST(Hoist, TakesElementOfWrittenArrayIfTold) {
  Workbench bench(
      {"void kernel(int* path, int n) {\n  for (int k = 0; k < n; k++)\n    for (int i = 0; i < n; i++)\n"
       "      for (int j = 0; j < n; j++)\n"
       "        path[i * n + j] = std::min(path[i * n + j], path[i * n + k] + path[k * n + j]);\n}",
       "const int w = n % 13; auto path = numbers<int>(w * w); for (int& v : path) v = v < 0 ? -v : v;"
       "kernel(path.data(), w); keep(path);",
       "#include <algorithm>\n"});
  EXPECT_TRUE(bench.workshop().render({{"hoist", 2, {}}}).applied.empty());
  EXPECT_EQ(bench.difference(bench.apply({{"hoist", 0, {1}}})), "");
}

TEST(Peel, ReplacesIndicesThatGoAlong) {
  Workbench bench(
      {"int kernel(const float* b, float* a, int n) { int before = n - 1, second = n - 2;\n"
       "  for (int i = 0; i < n; i++) { a[i] = b[i] + b[before] * b[second]; second = before; before = i; }\n"
       "  return before * 1000 + second; }",
       "auto b = numbers<float>(n), a = b; if (n >= 2) keep(std::vector<int>{kernel(b.data(), a.data(), n)}); "
       "keep(a);"});
  const std::string text = bench.apply({{"peel", 0, {}}, {"peel", 0, {}}});
  EXPECT_EQ(bench.difference(text), "");
}

TEST(Select, TakesChainsAndCases) {
  Workbench bench({R"(void kernel(const int* k, const float* x, float* y, float* z, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] < -0.5f)
      y[i] = -1;
    else if (x[i] > 0.5f)
      y[i] = x[i] * 2;
    else
      y[i] = x[i];
    switch (k[i] & 7) {
      case 1:
        z[i] += x[i];
        break;
      case 2:
      case 3:
        z[i] += 2;
        break;
      default:
        z[i] += x[i] * x[i];
        break;
      case 4:
        z[i] += y[i];
    }
    switch (k[i] & 1) {
      case 0:
        y[i] += 1;
        break;
      case 1:
        y[i] += z[i];
        break;
    }
  }
})",
                   "auto k = numbers<int>(n); auto x = numbers<float>(n), y = x, z = x;"
                   "for (int i = 0; i < n; ++i) k[i] = i * 7 + (i >> 3);"
                   "kernel(k.data(), x.data(), y.data(), z.data(), n); keep(y); keep(z);"});
  for (const int masks : {0, 1})
    EXPECT_EQ(bench.difference(bench.apply({{"select", 0, {masks}}, {"select", 0, {masks}}, {"select", 0, {masks}}})),
              "");
}

}  // namespace
}  // namespace hone::frontend
