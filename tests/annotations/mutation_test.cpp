#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/annotations/properties.h"

namespace hone::annotations {
namespace {

constexpr std::array<std::string_view, 6> kSeeds = {
    "kernel in(src[0:w*h]) out(dst[0:w*h]) \\\n  problem(w=1920, h=1080, weight=2) tolerance(rtol=1e-5, atol=0)",
    "kernel inout(A[0:m][k ? 1 : 2:n]) exact alias(A, b) threads(4) // the end",
    "kernel launch(grid((n+255)/256, 1), block(256), shared(n*sizeof(float))) stream(s) workload(app::make)",
    "kernel init(x: uniform(-1,1), y: index(0, n), z: file(\"a b.npy\"), w: normal) name(blur-3x3.v2)",
    "kernel instantiate(T=std::map<int, A<B<char>>>, N=1'000) tolerance(y, z: ulp=4) /* c */",
    "kernel problem(c='\\'', s=R\"x(,)x\"[0], t=u8\"\\\"(\"[1], n=f<int, 2>(3) << 2)",
};
constexpr std::array<std::string_view, 42> kPieces = {
    "(",    ")",       "[",        "]",     "{",     "}",    "<",       ">",       ">>", ",",    ":",
    "::",   "=",       "?",        "\"",    "'",     "\\\n", "\\ \r\n", "/*",      "*/", "//",   "\n",
    "R\"(", ")\"",     "in",       "exact", "1e+",   "..",   " ",       "weight",  "==", "1''e", "<:",
    "?\?(", "\\u00e9", "\xc3\xa9", "\xff",  "$R\"(", "1.R",  "u8",      "a<b, c>", "- -"};

class Mutator {
 public:
  std::string mutate(std::string text) {
    for (unsigned i = 0, edits = 1 + pick(4); i < edits; ++i) edit(text);
    return text;
  }
  std::size_t pick(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }

 private:
  void edit(std::string& text) {
    const std::size_t at = pick(text.size() + 1);
    switch (pick(4)) {
      case 0:
        text.insert(at, kPieces[pick(kPieces.size())]);
        break;
      case 1:
        text.erase(at, pick(6));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(pick(256)));
        break;
      case 3: {
        const std::string_view other = kSeeds[pick(kSeeds.size())];
        text.insert(at, other.substr(pick(other.size()), pick(24)));
      }
    }
  }
  std::mt19937 random_{20240607};
};

TEST(ParserMutation, KeepsParserPropertiesOnMutatedText) {
  Mutator mutator;
  unsigned accepted = 0;
  constexpr unsigned kTexts = 60'000;
  for (unsigned i = 0; i < kTexts; ++i) {
    const std::string text = mutator.mutate(std::string(kSeeds[mutator.pick(kSeeds.size())]));
    ASSERT_EQ(broken_property(text), "") << text;
    accepted += std::holds_alternative<Directive>(parse(text, {1, 1}));
  }
  EXPECT_GT(accepted, kTexts / 50) << "the mutations should reach behind the first error";
}

TEST(ParserMutation, AcceptsEverySeed) {
  for (const std::string_view seed : kSeeds)
    EXPECT_TRUE(std::holds_alternative<Directive>(parse(seed, {1, 1}))) << seed;
}

}  // namespace
}  // namespace hone::annotations
