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
          "#include <cmath>\n#include <cstdint>\n#include <vector>\n"};
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
           "auto step = [&] { ++x; --n; }; while (n > 0) { *y++ = *x; step(); }",
       }) {
    Workbench bench(walks(lines));
    EXPECT_TRUE(bench.workshop().render({{"canonical_loop", 0, {}}}).applied.empty()) << lines;
  }
}

}  // namespace
}  // namespace hone::frontend
