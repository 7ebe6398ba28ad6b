// Sums of small numbers in narrow types: what fits is shown, the rest stays, and the values are the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Genome narrow_sums{{"narrow_sums", 0, {}}};

// Bytes of all values, in arrays that are longer than several strips.
Snippet bytes(const std::string& lines) {
  return {"void kernel(const std::uint8_t* x, const std::int8_t* y, const std::int16_t* w, long long* r, int n) {\n" +
              lines + "}",
          "const auto low = numbers<int>(1), v = numbers<int>(19 * n + 300); std::vector<std::uint8_t> x;"
          "std::vector<std::int8_t> y; std::vector<std::int16_t> w; unsigned k = 0;"
          "for (int e : v) { ++k; x.push_back(n == 33 ? 255 : e + k); y.push_back(n == 33 ? -128 : e * 3 + k);"
          "w.push_back(n == 33 ? -32768 : e * 999 + k); }"
          "std::vector<long long> r(8); kernel(x.data(), y.data(), w.data(), r.data(), int(v.size())); keep(r);",
          "#include <cstdint>\n#include <vector>\n", 1, true};
}

std::string narrowed(const std::string& lines, const Genome& genome = narrow_sums) {
  Workbench bench(bytes(lines));
  std::string text = bench.apply(genome);
  EXPECT_EQ(bench.difference(text), "") << text;
  return text;
}

TEST(NarrowSums, HoldAsManyNumbersAsFit) {
  const std::string text =
      narrowed("int s = 3; for (int i = 0; i < n; ++i) s += x[i]; r[0] = s;", {{"narrow_sums", 0, {256}}});
  EXPECT_THAT(text, HasSubstr("unsigned short s_part = 0;"));
  EXPECT_THAT(text, HasSubstr("i < i_strip + 256"));
  EXPECT_THAT(text, HasSubstr("s_part += x[i];"));
  EXPECT_THAT(text, HasSubstr("s += s_part;"));
}

TEST(NarrowSums, CountInBytes) {
  const std::string text = narrowed(
      "long s = 0; unsigned t = 0; for (int i = 0; i < n; ++i) { if (x[i] > 7) ++s; t += y[i] == 3; } r[0] = s + t;");
  EXPECT_THAT(text, HasSubstr("unsigned char s_part = 0;"));
  EXPECT_THAT(text, HasSubstr("unsigned char t_part = 0;"));
  EXPECT_THAT(text, HasSubstr("i < i_strip + 128"));
}

TEST(NarrowSums, FollowArithmetic) {
  narrowed(R"(long long a = 0, b = 0, c = 0, d = 0;
for (int i = 2; i < n; ++i) {
  const int before = x[i - 1], here = y[i];
  a = a + (before >> 2) - here;
  b -= before / 3 + (here & 15) * 5 + (before ^ 3) % 7;
  if (here < 0) c += (before << 1) + ~here; else c -= -here;
  d += before > here ? before : here;
}
r[0] = a; r[1] = b; r[2] = c; r[3] = d;
)");
  EXPECT_THAT(narrowed("unsigned s = 1; for (int i = 0; i < n; ++i) s += 77u * x[i] >> 8; r[0] = s;"),
              HasSubstr("unsigned short s_part"));
  EXPECT_THAT(narrowed("int s = 1; for (int i = 0; i < n; ++i) s -= y[i]; r[0] = s;"), HasSubstr("short s_part"));
}

TEST(NarrowSums, TakeProductsOfBytesInPairs) {
  const std::string text = narrowed("int s = 5; for (int i = 0; i < n; ++i) s = s + x[i] * y[i]; r[0] = s;");
  EXPECT_THAT(text, HasSubstr("short s_left[128], s_right[128];"));
  EXPECT_THAT(text, HasSubstr("s_part += s_left[lane] * s_right[lane];"));
  const std::string squares =
      narrowed("long s = 0; for (int i = 0; i < n; ++i) { const int d = x[i] - y[i]; s += d * d; } r[0] = s;");
  EXPECT_THAT(squares, HasSubstr("s_part += s_left[lane] * s_left[lane];"));
  EXPECT_THAT(narrowed("long s = 0; for (int i = 0; i < n; ++i) s += x[i] * w[i]; r[0] = s;"), HasSubstr("s_right"));
}

TEST(NarrowSums, LeaveWhatMayNotFit) {
  for (const char* lines : {
           "int s = 0; for (int i = 0; i < n; ++i) s += w[i]; r[0] = s;",                     // two overflow
           "unsigned s = 0; for (int i = 0; i < n; ++i) s += x[i] - y[i]; r[0] = s;",         // may be huge
           "unsigned s = 0; for (int i = 0; i < n; ++i) s += x[i] - 1u; r[0] = s;",           // wraps around
           "unsigned s = 0; for (int i = 0; i < n; ++i) s += (x[i] - 1u) * x[i]; r[0] = s;",  // so does this
           "int s = 0; for (int i = 0; i < n; ++i) s += w[i] * w[i] / 9; r[0] = s;",
           "int s = 0; for (int i = 0; i < n; ++i) { s += x[i]; r[i & 7] = s; }",      // each sum is asked for
           "int s = 0; for (int i = 0; i < n; ++i) r[i & 7] = (s += x[i]);",           // likewise
           "int s = 0; int& t = s; for (int i = 0; i < n; ++i) s += x[i]; r[0] = t;",  // another name
           "int s = 0; for (int i = 0; i < n && s < 999; ++i) s += x[i]; r[0] = s;",
           "int s = 0, k = 1; for (int i = 0; i < n; ++i) { k += w[i] & 1; k *= 3; s += k; } r[0] = s;",
           "short s = 0; for (int i = 0; i < n; ++i) s += x[i]; r[0] = s;",  // is narrow
           "float s = 0; for (int i = 0; i < n; ++i) s += x[i]; r[0] = s;",
       }) {
    Workbench bench(bytes(lines));
    EXPECT_TRUE(bench.workshop().render(narrow_sums).applied.empty()) << lines;
  }
}

}  // namespace
}  // namespace hone::frontend
