// Remainders that wait for a block of elements, and sums of running sums in lanes: right for any data, largest ones
// included, and nowhere where what is known does not allow them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Gene deferred{"deferred_modulo", 0, {}}, in_lanes{"sum_of_sums", 0, {}};

// Elements of all values; of the largest alone for n = 33. Longer than several blocks, shorter than a strip, and fewer
// than none.
Snippet sums(const std::string& body) {
  return {
      "void kernel(const std::uint8_t* x, const std::uint32_t* w, const float* f, std::uint64_t* r, int n, unsigned m,"
      " int s, std::uint32_t a0) {\n" +
          body + "}",
      "std::vector<std::uint8_t> x; std::vector<std::uint32_t> w; std::vector<float> f; std::uint32_t k = 1;"
      "for (int e = 0; e < 311 * n; ++e) { k = k * 1664525u + 1013904223u;"
      "x.push_back(n == 33 ? 255 : k >> 24); w.push_back(n == 33 ? ~0u : k ^ (k >> 15)); f.push_back((k >> 20) / "
      "512.0f); }"
      "std::vector<std::uint64_t> r(8);"
      "for (unsigned m : {1u, 2u, 7u, 255u, 256u, 65521u, 1000003u, 4294967295u}) for (unsigned a0 : {0u, 1u, 6u, "
      "70000u})"
      "for (int length : {int(x.size()), 5, -40}) if (length <= int(x.size()))"
      "{ kernel(x.data(), w.data(), f.data(), r.data(), length, m, int(m), a0); keep(r); }",
      "#include <cstdint>\n#include <vector>\n", 1, true};
}

std::string changed(const std::string& body, const Genome& genome = {deferred}) {
  Workbench bench(sums(body));
  const std::string text = bench.apply(genome);
  EXPECT_EQ(bench.difference(text), "") << text;
  return text;
}

bool stays(const std::string& body, const Gene& gene = deferred) {
  return Workbench(sums(body)).workshop().render({gene}).applied.empty();
}

std::string adler(const std::string& declared) {
  return declared + R"(
for (int i = 0; i < n; ++i) {
  a = (a + x[i]) % 65521;
  b = (b + a) % 65521;
}
r[0] = a; r[1] = b;)";
}

TEST(DeferredModulo, TakesRemaindersOnceForABlock) {
  const std::string text = changed(adler("std::uint32_t a = 1, b = 0;"), {{"deferred_modulo", 0, {8192}}});
  EXPECT_THAT(text, AllOf(HasSubstr("i_block + 5552"), HasSubstr("a += x[i];"), HasSubstr("b += a;"),
                          HasSubstr("a %= 65521;"), HasSubstr("b %= 65521;"), Not(HasSubstr("else"))));
}

TEST(DeferredModulo, CountsWithWhatSumsBeginWith) {
  EXPECT_THAT(changed(adler("std::uint32_t a = a0 & 0xffff, b = a0 >> 16;")), Not(HasSubstr("else")));
  EXPECT_THAT(changed(adler("std::uint32_t a = a0, b = 0;")), HasSubstr("else"));
  const std::string subtracted = changed(
      "std::uint64_t a = r[7] & 0xffff, b = r[6] & 7; for (int i = 0; i < n; ++i) { a += x[i]; if (a >= 65521) a -= "
      "65521;"
      "b += a; if (b >= 65521) b -= 65521; } r[0] = a; r[1] = b;");
  EXPECT_THAT(subtracted, HasSubstr("if (a < 65521) {"));
  const std::string set_later = changed(adler("std::uint32_t a, b = 0; a = a0;"));
  EXPECT_THAT(set_later, AllOf(HasSubstr("if (a < 65521) {"), HasSubstr("a = (a + x[i]) % 65521;")));
}

TEST(DeferredModulo, KnowsAllWaysToTakeARemainder) {
  changed(
      "std::uint32_t a = 1, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; b += a; a %= 65521; b %= 65521; }"
      "r[0] = a; r[1] = b;");
  changed(
      "std::uint32_t a = 1, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; if (a >= 65521u) a -= 65521u;"
      "b = b + a; if (65521 <= b) { b = b - 65521; } } r[0] = a; r[1] = b;");
  changed(
      "std::uint64_t a = 0, b = 0; for (int i = 0; i < n; ++i) { const std::uint32_t v = w[i]; a = a + v; a = a % "
      "0xffffffffu; b = (a + b) % 0xffffffffu; } r[0] = a; r[1] = b;");
}

TEST(DeferredModulo, AddsUpInWiderTypes) {
  const std::string bytes = changed(
      "std::uint8_t a = 0, b = 0; for (int i = 0; i < n; ++i) { a = static_cast<std::uint8_t>((a + x[i]) % 255);"
      "b = static_cast<std::uint8_t>((b + a) % 255); } r[0] = a; r[1] = b;");
  EXPECT_THAT(bytes, AllOf(HasSubstr("unsigned int a_sum = a;"), HasSubstr("a_sum += x[i];"),
                           HasSubstr("b = static_cast<std::uint8_t>(b_sum % 255);")));
  changed(
      "int a = 1, b = 0; for (int i = 0; i < n; ++i) { a = (a + x[i]) % 65521; b = (b + a) % 65521; }"
      "r[0] = a; r[1] = b;");
  EXPECT_THAT(changed(adler("std::uint32_t a = 1, b = 0;"), {{"deferred_modulo", 0, {4096, 1}}}),
              HasSubstr("unsigned long a_sum = a;"));
}

TEST(DeferredModulo, AsksAModulusThatIsNoConstant) {
  const std::string of_sums = changed(
      "unsigned a = a0, b = 0; for (int i = 0; i < n; ++i) { a = (a + x[i]) % m; b = (b + a) % m; } r[0] = a; r[1] = "
      "b;");
  EXPECT_THAT(of_sums, AllOf(HasSubstr("m <= "), HasSubstr("a < m"), HasSubstr("else")));
  EXPECT_THAT(changed("unsigned a = 0; for (int i = 0; i < n; ++i) { a += x[i]; if (a >= m) a -= m; } r[0] = a;"),
              HasSubstr("m >= 255"));
  EXPECT_THAT(changed("int a = 0; for (int i = 0; i < n; ++i) a = (a + x[i]) % s; r[0] = a;"), HasSubstr("s > 0"));
  changed("std::uint64_t a = 0; for (int i = 0; i < n; ++i) a = (a + w[i] % m) % m; r[0] = a;");
}

TEST(DeferredModulo, NamesAModulusWhereItsNameMeansTheSame) {
  const auto modulus_of = [](const std::string& before, const std::string& inside) {
    return changed("unsigned a = 0; " + before + " for (int i = 0; i < n; ++i) { " + inside +
                   " a = (a + x[i]) % p; } r[0] = a;");
  };
  EXPECT_THAT(modulus_of("const unsigned p = 251;", ""), HasSubstr("a %= p;"));
  EXPECT_THAT(modulus_of("", "const unsigned p = 251;"), HasSubstr("a %= 251;"));
  EXPECT_THAT(modulus_of("const unsigned p = 7; r[1] = p;", "const unsigned p = 251;"), HasSubstr("a %= 251;"));
}

TEST(DeferredModulo, AsksAModulusOfSeveralOperandsAsAWhole) {
  EXPECT_THAT(changed("int a = 0; for (int i = 0; i < n; ++i) { a += x[i]; a %= s | 1; } r[0] = a;"),
              HasSubstr("(s | 1) > 0"));
}

TEST(DeferredModulo, MeasuresBlocksOfLoopsFromBelowZeroWithoutASign) {
  for (const char* step : {"a = (a + (i & 255)) % 65521;", "a = (a * 31 + (i & 255)) % 65521;"}) {
    const std::string loop = std::string("; i < n; ++i) ") + step + " r[0] = a;";
    EXPECT_THAT(changed("std::uint64_t a = 0; for (int i = -(s & 255)" + loop),
                HasSubstr("static_cast<unsigned>(n) - static_cast<unsigned>(i_block) <"));
    EXPECT_THAT(changed("std::uint64_t a = 0; for (int i = s & 255" + loop), Not(HasSubstr("<unsigned>(n)")));
  }
}

TEST(DeferredModulo, LeavesPolynomialsRoomToGrow) {
  const std::string text =
      changed("std::uint64_t h = 7; for (int i = 0; i < n; ++i) h = (h * 31 + x[i]) % 65521; r[0] = h;");
  EXPECT_THAT(text, AllOf(HasSubstr("h = h * 31 + x[i];"), HasSubstr("i_block + 9")));
}

TEST(DeferredModulo, KeepsWhatMayWrapOrIsLookedAt) {
  for (const char* body :
       {"unsigned a = 0; for (int i = 0; i < n; ++i) a = (a + w[i]) % 65521; r[0] = a;",           // 32 bits wrap
        "std::uint64_t a = 0; for (int i = 0; i < n; ++i) a = (a + r[1]) % 65521; r[0] = a;",      // so do 64
        "int a = 0; for (int i = 0; i < n; ++i) a = (a + f[i] > 1 ? -3 : 2) % 65521; r[0] = a;",   // negative
        "int a = 0; for (int i = 0; i < n; ++i) a = (a + (x[i] - 7)) % 65521; r[0] = a;",          // so it may be
        "unsigned a = 0; for (int i = 0; i < n; ++i) { a = (a + x[i]) % 65521; r[i % 8] = a; }",   // it is read
        "unsigned a = 0; for (int i = 0; i < n && a < 9; ++i) a = (a + x[i]) % 65521; r[0] = a;",  // it ends the loop
        "unsigned a = 0; for (int i = 0; i < n; ++i) a = (a - x[i]) % 65521; r[0] = a;",           // taken off
        "unsigned a = 0; for (int i = 0; i < n; ++i) { a = (a + x[i]) % m; m += 2; } r[0] = a;",   // m changes
        "std::uint64_t h = 0; for (int i = 0; i < n; ++i) h = (h * 0x10001 + x[i]) % 0xfffffffb; r[0] = h;",
        "unsigned a = 0; for (int i = 0; i < n; ++i) { a += w[i]; if (a >= 65521) a -= 65521; } r[0] = a;",
        "unsigned a = 0; const unsigned& seen = a; for (int i = 0; i < n; ++i) { a = (a + x[i]) % 9; r[1] += seen; }",
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a = (a + x[i]) % 251; b = (b + a) % 257; } r[0] = b;"})
    EXPECT_TRUE(stays(body)) << body;
}

TEST(DeferredModulo, DropsConversionsThatHoldEveryValueAlone) {
  for (const char* step :
       {"a = (std::uint8_t)((a + x[i]) % 65521);", "a = (a + x[i]) % 65521; a = (std::uint8_t)a % 65521;",
        "a += x[i] & 7; if ((std::uint8_t)a >= 251) a -= 251;",
        "a += x[i] & 7; if (a >= 65521) a = (std::uint8_t)(a - 65521);",
        "a = (unsigned)(float)((a + x[i]) % 0x7fffffff);", "const float v = w[i] % m; a += v; a %= m;"})
    EXPECT_TRUE(stays(std::string("unsigned a = 0; for (int i = 0; i < n; ++i) { ") + step + " } r[0] = a;")) << step;
  changed("unsigned a = 0; for (int i = 0; i < n; ++i) a = (std::uint8_t)((a + x[i]) % 251); r[0] = a;");
  changed("int a = 0; for (int i = 0; i < n; ++i) { a += x[i]; a = (int)((unsigned)a % 65521u); } r[0] = a;");
  EXPECT_THAT(changed("std::uint64_t a = 0; for (int i = 0; i < n; ++i) a = (std::uint8_t)((a + x[i]) % m); r[0] = a;"),
              HasSubstr("m <= 256"));
}

TEST(SumOfSums, GoInLanesThatHoldASpan) {
  const std::string text = changed(adler("std::uint32_t a = 1, b = 0;"), {deferred, in_lanes});
  EXPECT_THAT(text, AllOf(HasSubstr("unsigned short a_lanes[32] = {0}, b_lanes[32] = {0};"), HasSubstr("i_span + 704"),
                          HasSubstr("a_lanes[lane] += x[i];"), HasSubstr("b_lanes[lane] += a_lanes[lane];")));
}

TEST(SumOfSums, GoInLanesWithinWiderSumsAndByUnsignedCounters) {
  const std::string text = changed(
      R"(std::uint8_t a = 0, b = 0;
const unsigned count = n < 0 ? 0 : n;
for (unsigned i = 1; i < count; ++i) {
  a = (a + x[i]) % 255;
  b = (b + a) % 255;
}
r[0] = a; r[1] = b;)",
      {deferred, in_lanes});
  EXPECT_THAT(text,
              AllOf(HasSubstr("const unsigned long i = i_strip + lane;"), HasSubstr("a_sum += a_sum_lanes[lane];")));
}

TEST(SumOfSums, WrapAroundAlike) {
  const std::string body = R"(std::uint32_t a = 7, b = 9;
for (int i = 0; i < n; ++i) { a += w[i]; b += a; }
r[0] = a; r[1] = b;
std::uint64_t c = 7, d = 9;
for (int i = 3; i < n; ++i) { d = c + d; c = c + w[i]; }
r[2] = c; r[3] = d;
for (int i = 1; i < n; ++i) { const int up = x[i] + x[i - 1]; c += up; d += c; }
r[4] = c; r[5] = d;)";
  for (const auto& [width, narrow] : {std::pair{4, 1}, {32, 0}, {128, 1}}) {
    const std::vector<int> arguments{width, narrow};
    changed(body, {{"sum_of_sums", 2, arguments}, {"sum_of_sums", 1, arguments}, {"sum_of_sums", 0, arguments}});
  }
}

TEST(SumOfSums, RoundOnlyWhereThatIsAllowed) {
  const std::string body =
      "float a = 0, b = 0; for (int i = 0; i < n; ++i) { a += f[i]; b += a; } r[0] = a * 16; r[1] = b / 4096;";
  EXPECT_TRUE(stays(body, in_lanes)) << "all that it writes are integers";
  Workbench bench(
      {"void kernel(const float* x, float* y, int n) {\n"
       "float a = 0, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; b += a; } y[0] = a; y[1] = b; }",
       "auto x = numbers<float>(70 * n), y = numbers<float>(2); kernel(x.data(), y.data(), 70 * n); keep(y);"});
  const std::string text = bench.apply({in_lanes});
  EXPECT_EQ(bench.difference(text, 1e-3), "") << text;
}

// y[0] is infinite, and so is the last element of a strip.
TEST(SumOfSums, StayNumbersBesideInfiniteOnes) {
  for (const char* body : {"a += x[i]; b += a;", "b += a; a += x[i];"}) {
    Workbench bench(
        {"void kernel(const float* x, float* y, int n) {\nfloat a = y[0], b = 0; for (int i = 0; i < n; ++i) { " +
             std::string(body) + " } y[0] = a; y[1] = b; }",
         "auto x = numbers<float>(n); for (float first : {0.0f, HUGE_VALF}) for (int length : {n, n - 64}) {"
         "std::vector<float> y{first, 0}; if (first == 0 && n == 64) x[31] = x[63] = HUGE_VALF;"
         "kernel(x.data(), y.data(), length); keep(y); }"});
    const std::string text = bench.apply({in_lanes});
    EXPECT_EQ(bench.difference(text, 1e-3), "") << text;
  }
}

TEST(SumOfSums, StayWhereMoreIsDone) {
  for (const char* body :
       {"unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; b += a; r[i % 8] = b; }",
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; if (x[i]) b += a; } r[0] = b;",
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a += x[i] + b; b += a; } r[0] = b;",
        "std::uint64_t b = 0; unsigned a = 0; for (int i = 0; i < n; ++i) { a += w[i]; b += a; } r[0] = b;",
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a += x[i]; b += x[i]; } r[0] = a + b;",
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a += f[i]; b += a; } r[0] = b;",  // truncated each time
        "unsigned a = 0, b = 0; for (int i = 0; i < n; ++i) { a = a + f[i]; b += a; } r[0] = b;"})
    EXPECT_TRUE(stays(body, in_lanes)) << body;
}

TEST(SumOfSums, AreTriedFirstWithDeferredRemainders) {
  const auto recipes_of = [](const std::string& body) { return Workbench(sums(body)).workshop().survey().recipes; };
  const auto has = [](const Genome& recipe, std::string_view name) {
    return std::ranges::any_of(recipe, [&](const Gene& gene) { return gene.transform == name; });
  };
  const auto first = recipes_of(adler("std::uint32_t a = 1, b = 0;")).front();
  EXPECT_TRUE(has(first, "deferred_modulo") && has(first, "sum_of_sums"));
  for (const Genome& recipe : recipes_of("unsigned a = 0; for (int i = 0; i < n; ++i) a += x[i] % m; r[0] = a;"))
    EXPECT_FALSE(has(recipe, "deferred_modulo") || has(recipe, "sum_of_sums"));
}

}  // namespace
}  // namespace hone::frontend
