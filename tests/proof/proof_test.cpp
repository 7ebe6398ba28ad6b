// Kernels of integers: what is right for all inputs of small sizes is proved, what is wrong for one gives that one, and
// the judge confirms it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/proof/proof_bench.h"

namespace hone::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Refused for the case that the proof found, which no draw hits.
void expect_confirmed(ProofBench& bench, const std::string& candidate) {
  const bundle::Proof proof = bench.prove(candidate);
  ASSERT_TRUE(proof.example) << proof.proved << proof.why;
  const Verdict verdict = bench.judge(candidate, proof);
  EXPECT_FALSE(verdict.right);
  EXPECT_THAT(verdict.reason, HasSubstr("a counterexample of the bounded proof"));
}

void expect_proved(ProofBench& bench, const std::string& candidate) {
  const bundle::Proof proof = bench.prove(candidate);
  EXPECT_THAT(proof.in_words(), StartsWith("equal for")) << proof.why << proof.difference;
}

constexpr const char* gray = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=5000)
void gray(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] ^ (x[i] >> 1);
}
)";

TEST(Proof, ProvesBitTrickForEveryValue) {
  ProofBench bench(gray);
  expect_proved(bench, R"(void gray(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = (x[i] | x[i] >> 1) - (x[i] & x[i] >> 1);
})");
}

TEST(Proof, FindsSingleWrongValue) {
  ProofBench bench(gray);
  expect_confirmed(bench, R"(void gray(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] == 0x8badf00du ? 0 : x[i] ^ (x[i] >> 1);
})");
}

TEST(Proof, FindsFailureAtOneLengthAndValue) {
  ProofBench bench(gray);
  expect_confirmed(bench, R"(void gray(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] ^ (x[i] >> 1);
  if (n == 7 && x[6] == 77777777u) y[0] = 0;
})");
}

TEST(Proof, FindsOutOfBoundsReadForOneValue) {
  ProofBench bench(gray);
  expect_confirmed(bench, R"(void gray(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] == 77777777u && i + 1 == n ? x[i + 1] : x[i] ^ (x[i] >> 1);
})");
}

constexpr const char* saturating = R"(
#pragma hone kernel in(a[0:n], b[0:n]) out(c[0:n]) problem(n=5000)
void add(const signed char* a, const signed char* b, signed char* c, int n) {
  for (int i = 0; i < n; ++i) {
    const int s = a[i] + b[i];
    c[i] = static_cast<signed char>(s > 127 ? 127 : s < -128 ? -128 : s);
  }
}
)";

TEST(Proof, UnderstandsVectorIntrinsics) {
  ProofBench bench(saturating);
  expect_proved(bench, R"(#include <immintrin.h>
void add(const signed char* a, const signed char* b, signed char* c, int n) {
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i));
    const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(c + i), _mm_adds_epi8(x, y));
  }
  for (; i < n; ++i) {
    const int s = a[i] + b[i];
    c[i] = static_cast<signed char>(s > 127 ? 127 : s < -128 ? -128 : s);
  }
})");
}

constexpr const char* prefix = R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=5000)
void prefix(const int* x, int* y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) y[i] = sum += x[i];
}
)";

TEST(Proof, AcceptsUnsignedSumForSignedSum) {
  ProofBench bench(prefix);
  const bundle::Proof proof = bench.prove(R"(void prefix(const int* x, int* y, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) y[i] = static_cast<int>(sum += static_cast<unsigned>(x[i]));
})");
  EXPECT_THAT(proof.in_words(), StartsWith("equal for n <= ")) << proof.why;
  EXPECT_FALSE(proof.wraps);
}

TEST(Proof, ReportsWhenItRestsOnSignedWraparound) {
  ProofBench bench(prefix);
  const bundle::Proof proof = bench.prove(R"(void prefix(const int* x, int* y, int n) {
  int i = 0, sum = 0;
  for (; i + 3 <= n; i += 3) {
    const int last = x[i + 1] + x[i + 2];
    y[i] = sum + x[i];
    y[i + 1] = sum + x[i] + x[i + 1];
    y[i + 2] = sum += x[i] + last;
  }
  for (; i < n; ++i) y[i] = sum += x[i];
})");
  EXPECT_THAT(proof.in_words(), HasSubstr("as long as signed numbers wrap")) << proof.why;
}

constexpr const char* histogram = R"(
#pragma hone kernel in(x[0:n]) out(bins[0:16]) problem(n=5000)
void histogram(const unsigned char* x, int* bins, int n) {
  for (int i = 0; i < 16; ++i) bins[i] = 0;
  for (int i = 0; i < n; ++i) ++bins[x[i] >> 4];
}
)";

TEST(Proof, ProvesCountersInTables) {
  ProofBench bench(histogram);
  expect_proved(bench, R"(void histogram(const unsigned char* x, int* bins, int n) {
  int even[16] = {}, odd[16] = {}, i = 0;
  for (; i + 2 <= n; i += 2) { ++even[x[i] >> 4]; ++odd[x[i + 1] >> 4]; }
  if (i < n) ++even[x[i] >> 4];
  for (int k = 0; k < 16; ++k) bins[k] = even[k] + odd[k];
})");
}

constexpr const char* runs = R"(
#pragma hone kernel in(x[0:n]) out(values[0:n], counts[0:n]) problem(n=2000)
int runs(const unsigned char* x, unsigned char* values, int* counts, int n) {
  int made = 0;
  for (int i = 0; i < n;) {
    int end = i;
    while (end < n && x[end] == x[i]) ++end;
    values[made] = x[i];
    counts[made++] = end - i;
    i = end;
  }
  for (int i = made; i < n; ++i) values[i] = 0, counts[i] = 0;
  return made;
}
)";

TEST(Proof, ProvesLoopsThatEndByData) {
  ProofBench bench(runs);
  expect_proved(bench, R"(int runs(const unsigned char* x, unsigned char* values, int* counts, int n) {
  int made = 0;
  for (int i = 0; i < n; ++i)
    if (i > 0 && x[i] == x[i - 1]) ++counts[made - 1];
    else values[made] = x[i], counts[made++] = 1;
  for (int i = made; i < n; ++i) values[i] = 0, counts[i] = 0;
  return made;
})");
}

TEST(Proof, FindsCounterThatStopsTooEarly) {
  ProofBench bench(runs);
  expect_confirmed(bench, R"(int runs(const unsigned char* x, unsigned char* values, int* counts, int n) {
  int made = 0;
  for (int i = 0; i < n; ++i)
    if (i > 0 && x[i] == x[i - 1] && !(counts[made - 1] == 3 && x[i] == 200)) ++counts[made - 1];
    else values[made] = x[i], counts[made++] = 1;
  for (int i = made; i < n; ++i) values[i] = 0, counts[i] = 0;
  return made;
})");
}

constexpr const char* sort = R"(
#pragma hone kernel inout(x[0:4*n]) problem(n=500)
void sort4(int* x, int n) {
  for (; n > 0; --n, x += 4)
    for (int i = 1; i < 4; ++i) {
      const int value = x[i];
      int at = i;
      for (; at > 0 && x[at - 1] > value; --at) x[at] = x[at - 1];
      x[at] = value;
    }
}
)";

std::string network(const char* comparators) {
  return std::string(R"(static inline void order(int& a, int& b) { if (b < a) { const int c = a; a = b; b = c; } }
void sort4(int* x, int n) { for (; n > 0; --n, x += 4) { )") +
         comparators + " } }";
}

TEST(Proof, ProvesSortingNetworkAndFindsMissingComparator) {
  ProofBench bench(sort);
  expect_proved(bench,
                network("order(x[0],x[1]); order(x[2],x[3]); order(x[0],x[2]); order(x[1],x[3]); order(x[1],x[2]);"));
  expect_confirmed(bench, network("order(x[0],x[1]); order(x[2],x[3]); order(x[0],x[2]); order(x[1],x[3]);"));
}

constexpr const char* blur = R"(
#pragma hone kernel in(s[0:n+2]) out(d[0:n]) problem(n=5000)
void blur(const unsigned char* s, unsigned char* d, int n) {
  for (int i = 0; i < n; ++i) d[i] = static_cast<unsigned char>((s[i] + 2 * s[i + 1] + s[i + 2] + 2) / 4);
}
)";

TEST(Proof, ProvesRewrittenBlurAndFindsWrongRounding) {
  ProofBench bench(blur);
  expect_proved(bench, R"(void blur(const unsigned char* s, unsigned char* d, int n) {
  for (int i = 0; i < n; ++i) d[i] = static_cast<unsigned char>((s[i] + (s[i + 1] << 1) + s[i + 2] + 2u) >> 2);
})");
  expect_confirmed(bench, R"(void blur(const unsigned char* s, unsigned char* d, int n) {
  for (int i = 0; i < n; ++i) d[i] = static_cast<unsigned char>((s[i] + (s[i + 1] << 1) + s[i + 2] + 1u) >> 2);
})");
}

TEST(Proof, IsSilentOnFloatingPoint) {
  ProofBench bench(R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=5000)
void twice(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }
)");
  const bundle::Proof proof = bench.prove("void twice(const float* x, float* y, int n) {}");
  EXPECT_THAT(proof.in_words(), IsEmpty());
  EXPECT_EQ(proof.why_not(), "its results are floating-point numbers");
  EXPECT_FALSE(proof.example);
}

TEST(Proof, ReportsMissingProverProgram) {
  const std::string before = getenv("HONE_PROVE") ? getenv("HONE_PROVE") : HONE_PROVE;
  setenv("HONE_PROVE", "", 1);
  ProofBench bench(gray);
  EXPECT_EQ(bench.prove("void gray(const unsigned*, unsigned*, int) {}").why_not(), "hone-prove is not installed");
  setenv("HONE_PROVE", before.c_str(), 1);
}

TEST(ProofAnswer, RejectsMalformedText) {
  EXPECT_FALSE(bundle::parse_proof("proved"));
  EXPECT_FALSE(bundle::parse_proof(R"({"proved": "n <= 16", "why": 1, "wraps": false})"));
  EXPECT_FALSE(bundle::parse_proof(
      R"({"proved": "", "why": "", "wraps": false, "example": {"what": "y", "scalars": ["zz"], "arrays": []}})"));
  EXPECT_TRUE(bundle::parse_proof(R"({"proved": "n <= 16", "why": "", "wraps": false})"));
}

}  // namespace
}  // namespace hone::test
