// Loops by pointers, iterators, while and do count from zero afterwards, and compute the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

Snippet walks(const std::string& lines) {
  return {"void kernel(const float* x, const std::vector<int>& v, float* y, float* r, int n) {\n" + lines + "}",
          "auto x = numbers<float>(3 * n + 9), y = numbers<float>(3 * n + 9); auto v = numbers<int>(n);"
          "std::vector<float> r(40); kernel(x.data(), v, y.data(), r.data(), n); keep(y); keep(r);",
          "#include <cmath>\n#include <cstdint>\n#include <vector>\n#define TWICE(a) ((a) + (a))\n"};
}

// All loops of the lines count afterwards.
std::string canonical(const std::string& lines, unsigned loops = 1) {
  Workbench bench(walks(lines));
  std::string text = bench.apply(Genome(loops, {"canonical_loop", 0, {}}));
  EXPECT_EQ(bench.workshop().render(Genome(loops, {"canonical_loop", 0, {}})).applied.size(), loops) << text;
  EXPECT_EQ(bench.difference(text), "") << text;
  return text;
}

TEST(CanonicalLoops, CountByPointers) {
  const std::string text = canonical(R"(const float* end = x + n;
while (x < end) { *y++ = *x * 2 + x[1]; ++x; }
)");
  EXPECT_THAT(text, HasSubstr("for (int i = 0; i < n; ++i)"));
  EXPECT_THAT(text, HasSubstr("y[i] = x[i] * 2 + x[i + 1];"));
}

TEST(CanonicalLoops, ShiftArgumentsOfMacrosOnce) {
  EXPECT_THAT(canonical("while (n--) { *y++ = TWICE(x[1]); ++x; }"), HasSubstr("TWICE(x[i + 1])"));
}

TEST(CanonicalLoops, CountHoweverTheyAreAsked) {
  const char* const spellings[] = {
      "while (n--) *y++ = *x++;",
      "while (n-- > 0) *y++ = *x++;",
      "while (n > 0) { *y++ = *x++ * n; n -= 1; } r[0] = n;",
      "if (n > 0) do *y++ = *x++; while (--n);",
      "if (n > 0) do { y[n - 1] = *x++; } while (n-- > 1); r[0] = n;",
      "do { *y++ += *x++; } while (--n > 0); r[0] = *x; r[1] = n;",
      "for (;;) { if (n <= 0) break; *y++ = *x++; --n; } r[0] = n;",
      "int i = 0; while (true) { y[i] = x[i + 1]; ++i; if (i >= n) break; } r[0] = i;",
      "int i = 0; while (i < n) { y[i] = x[i] + i; i++; } r[0] = i; r[1] = i * 2;",
      "unsigned i = n; while (i-- > 0) { y[i] = x[i] * i; }",
      "for (int i = n - 1; i >= 0; i--) y[i] = x[i] - (3 - i) * i;",
      "for (int i = n; i-- > 0;) { r[1] += y[i] * i; }",
      "for (int j = n - 2; j >= 1; j--) y[j] = x[j] * y[j + 1];",
      "for (long k = n - 1; k > 2; --k) y[k] += y[k - 1];",
      "for (int i = 0; i < n; ++i, ++x) y[i] = *x - *(x + 2 * i % 5);",
      "int i; for (i = 0; i < n; i++, y += 2) { if (i % 3 == 1) continue; *y = x[i]; } r[3] = i;",
      "for (const float* p = x + n; p != x;) *y++ = *--p;",
      "const float* p = x; for (p = x + n; p-- > x;) { *y++ = p[0] + p[1]; }",
      "int i = 0; for (; i + 3 < n; i += 4) { y[i] = x[i]; y[i + 3] = x[i + 2]; } for (; i < n; ++i) y[i] = 7;",
      "for (auto it = v.begin(); it != v.end(); ++it) r[0] += *it;",
      "for (auto it = v.begin() + v.size() / 2; it < v.end(); it += 2) r[0] += it[0] & 3;",
      "auto it = v.begin(); for (const float* p = x; p < x + n / 2 && it != v.end(); ++p, ++it) *y++ = *p * *it;",
      "auto it = v.begin(); while (it != v.end()) *y++ = *it++;",
      "const float* end = x + 2 * n; while (end - x >= 4) { r[0] += x[0] * x[3 & n]; x += 4; } while (x != end) "
      "r[1] += *x++;",
      "std::uint8_t k = n & 63; while (k--) *y++ = x[k];",
      "long left = n; const float* p = x; while (left) { *y = *p * left; p++; left--; y++; } r[0] = p - x;",
  };
  // Each with variables of its own, all in one kernel.
  std::string lines;
  for (const char* spelling : spellings)
    lines += std::string("{ const float* x = in; float* y = out; int n = count;\n") + spelling + "\n}\n";
  Workbench bench(
      {"void kernel(const float* in, const std::vector<int>& v, float* out, float* r, int count) {\n" + lines + "}",
       "auto x = numbers<float>(3 * n + 9), y = numbers<float>(3 * n + 9); auto v = numbers<int>(n);"
       "std::vector<float> r(40); kernel(x.data(), v, y.data(), r.data(), n); keep(y); keep(r);",
       "#include <cstdint>\n#include <vector>\n"});
  const std::string text = bench.apply(Genome(std::size(spellings) + 2, {"canonical_loop", 0, {}}));  // two have two
  for (const char* gone : {"while", "do ", "++x", "x++", "it++", "--)"}) EXPECT_THAT(text, Not(HasSubstr(gone)));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(CanonicalLoops, FollowRowsThroughTheirNest) {
  const std::string text = canonical(R"(const int m = n / 8;
for (int i = 0; i < 8; ++i) {
  const float* p = x;
  float s = 0;
  for (int j = 0; j < m; ++j) s += *y++ * *p++;
  *r++ = s;
}
)",
                                     2);
  EXPECT_THAT(text, HasSubstr("* m + j] * x[j]"));
  EXPECT_THAT(text, HasSubstr("r[i] = s;"));
}

TEST(CanonicalLoops, MoveSeveralTimesAnIteration) {
  const std::string text = canonical(R"(const float* const stop = x + 2 * n;
for (;;) {
  if (x == stop) break;
  const float re = *x++;
  const float im = *x++;
  *y++ += re - im;
  *y++ += re * im;
}
r[0] = *x;
)");
  EXPECT_THAT(text, HasSubstr("x[2 * i + 1]"));
}

TEST(CanonicalLoops, MeanVariablesOfTheirOwnScope) {
  canonical("const float* p = x; const float* end = p + n; { float x = 1; while (p < end) { x += *p++; } r[0] = x; }");
}

TEST(CanonicalLoops, KeepWhatTheyDoNotUnderstand) {
  for (const char* lines : {
           "while (n--) { if (*x > 500) *y++ = *x; ++x; }",  // y moves now and then: it stays, the rest counts
           "int k = 0; while (n--) { k ^= n; k++; *y++ = k % 100; }",  // k does not move evenly
       })
    canonical(lines);
  for (const char* lines : {
           "while (*x > 0 && n > 0) { ++x; --n; } r[0] = n;",
           "while (n > 0) { if (n & 1) --n; n -= 1; *y++ = n; } ",
           "const float** q = &x; while (*q < y + n) { r[0] += **q; ++x; }",
           "again: if (n > 0) { while (n & 1) --n; r[0] += n--; goto again; }",
           "while (n--) { if (*x == 77) break; ++x; } r[0] = n;",
           "std::vector<int> w(v); std::size_t i = 0; while (i < w.size() && i < 99) { if (w[i] & 1) w.push_back(8); "
           "++i; } r[0] = i;",
           "const auto left = [&] { return n; }; int i = 0; while (i < left()) { --n; *y++ = i++; }",
           "auto step = [&] { ++x; --n; }; while (n > 0) { *y++ = *x; step(); }",
       }) {
    Workbench bench(walks(lines));
    EXPECT_TRUE(bench.workshop().render({{"canonical_loop", 0, {}}}).applied.empty()) << lines;
  }
}

TEST(SingleAssignment, GivesEachValueALocal) {
  Workbench bench({R"(void kernel(const float* x, float* y, float* r, int n) {
  for (int i = 0; i < n; ++i) {
    int at = 2 * i - n / 2;
    float low = x[i];
    r[0] += at;
    if (at < 0) {
      at = -at;
    } else if (at > n - 1)
      at = 2 * n - 1 - at;
    r[1] += at;
    at = std::clamp(at, 0, n - 1);
    if (low > 3) low = low - at;
    y[at] += low + at;
    float sum = 0, other = 0;
    for (int k = 0; k < 3; ++k) sum += x[k];
    sum = sum / 2;
    r[2] += sum;
    long mixed = i;
    if (i % 4 == 1) mixed = -1; else mixed = 7u;
    r[3] += mixed;
    int twice = i;
    if (i % 3) twice *= 2;
    r[3] += twice;
  }
})",
                   "auto x = numbers<float>(n + 3), y = numbers<float>(n); std::vector<float> r(4);"
                   "kernel(x.data(), y.data(), r.data(), n); keep(y); keep(r);",
                   "#include <algorithm>\n"});
  const std::string text = bench.apply({{"single_assignment", 0, {}}});
  for (const char* line : {"const int at_2 = (at < 0) ? (-at) :", "const int at_3 = std::clamp(at_2, 0, n - 1);",
                           "const float low_2 = ", "y[at_3] += low_2 + at_3;", "sum = sum / 2;", "twice *= 2"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_EQ(bench.difference(text), "") << text;
}

// An image of bytes whose borders are clamped, by an accessor that sets its parameters again.
TEST(SingleAssignment, LetsBordersBeSplitOff) {
  Snippet image{R"(void kernel(const unsigned char* p, int* y, int w, int h) {
  for (int j = 0; j < h; ++j)
    for (int i = 0; i < w; ++i) {
      int sum = 0;
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -2; di <= 1; ++di) {
          int u = i + di, v = j + dj;
          u = std::clamp(u, 0, w - 1);
          if (v < 0) v = -v - 1;
          v = std::clamp(v, 0, h - 1);
          sum += p[v * w + u] * (di + 2 * dj);
        }
      y[j * w + i] = sum;
    }
})",
                "const int w = n % 7 + n / 9, h = n % 5 + 1; auto p = numbers<unsigned char>(w * h);"
                "auto y = numbers<int>(w * h); kernel(p.data(), y.data(), w, h); keep(y);",
                "#include <algorithm>\n"};
  const Genome genome{{"single_assignment", 0, {}}, {"split_index", 0, {}}};
  Workbench bench(image);
  const std::string text = bench.apply(genome);
  EXPECT_THAT(text, HasSubstr("const int u_2 = (u);"));
  EXPECT_THAT(text, HasSubstr("const int v_3 = (v_2);"));
  EXPECT_EQ(bench.difference(text), "") << text;
  image.form = Form::compact;
  Workbench compact(image);
  EXPECT_EQ(compact.difference(compact.apply(genome)), "");
}

}  // namespace
}  // namespace hone::frontend
