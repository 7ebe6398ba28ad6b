#include "tool/search/knowledge/near_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task.h"

namespace hone::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string stencil =
    "void sharpen(const float* a, float* b, int w, int h) { for (int y = 1; y < h - 1; ++y) for (int x = 1; x < w - 1; "
    "++x) if (w > 2) b[y * w + x] = 2 * a[y * w + x] - a[y * w + x - 1] - a[y * w + x + 1]; }";
const std::string product =
    "void gemm(const float* a, const float* b, float* c, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; "
    "++j) "
    "for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j]; }";

VerifiedPair pair(const std::string& kernel, const std::string& original, double gain,
                  const std::string& language = "c++17") {
  return {kernel, "key of " + kernel, language, original, "void fast() {}", "", gain};
}

std::vector<std::string> near(std::vector<VerifiedPair> pairs, const PairChoice& choice = {}) {
  std::vector<std::string> names;
  for (const VerifiedPair& one : near_pairs(std::move(pairs), blur_facts(), choice)) names.push_back(one.kernel);
  return names;
}

TEST(NearPairs, AreOfKernelsThatDoTheSame) {
  EXPECT_THAT(near({pair("product", product, 9), pair("stencil", stencil, 2)}), ElementsAre("stencil"));
}

TEST(NearPairs, OfEqualsTheOneThatGainedMoreComesFirst) {
  const std::string other = stencil + " // in another file";
  const std::string longer = "float bias(float x) { return x + 1; }\n" + stencil;
  EXPECT_THAT(near({pair("a", stencil, 2), pair("b", other, 4), pair("c", longer, 3)}), ElementsAre("b", "c"))
      << "of one text the pair that gained most";
}

TEST(NearPairs, AreTheSameInWhateverOrderTheyWereRead) {
  const VerifiedPair one = pair("one", stencil, 2), two = pair("two", "int k;\n" + stencil, 2);
  EXPECT_EQ(near({one, two}), near({two, one}));
}

TEST(NearPairs, LeaveOutTheKernelItselfUnlessItIsAskedFor) {
  VerifiedPair same_key = pair("earlier", stencil, 2);
  same_key.key = "key";
  const VerifiedPair same_text = pair("other flags", "constexpr float kBias = 0.5f;\n" + blur_facts().definition, 2);
  EXPECT_THAT(near({same_key, same_text}, {.key = "key"}), IsEmpty());
  EXPECT_EQ(near({same_key, same_text}, {.key = "key", .own = true}).size(), 2u);
}

TEST(NearPairs, LeaveOutOtherLanguagesAndWhatGainedNothing) {
  EXPECT_THAT(near({pair("c", stencil, 2, "gnu11"), pair("cuda", stencil, 9, "cuda c++17"), pair("none", stencil, 1)}),
              ElementsAre("c"));
  TaskFacts facts = blur_facts();
  facts.language = "gnu11";
  EXPECT_THAT(near_pairs({pair("c++", stencil, 2)}, facts, {}), IsEmpty()) << "a compiler of C does not take it";
}

TEST(NearPairs, LeaveOutWhatFillsThePage) {
  EXPECT_THAT(near({pair("long", stencil + "//" + std::string(10000, 'x'), 2)}), IsEmpty());
  EXPECT_EQ(near({pair("a", stencil, 2), pair("b", "int b;" + stencil, 2)}, {.most = 1}).size(), 1u);
}

TEST(NearPairs, LikenessIsOfWhatKernelsAreBeforeWhatTheyCost) {
  const Traits one{{"stencil", 0.9}, {"division", 0.5}}, same_shape{{"stencil", 0.9}, {"memory", 0.5}},
      same_cost{{"scan", 0.9}, {"division", 0.5}};
  EXPECT_GT(likeness(one, same_shape), likeness(one, same_cost));
  EXPECT_NEAR(likeness(one, one), 1, 1e-9);
  EXPECT_EQ(likeness(one, {}), 0);
  EXPECT_EQ(likeness({{"avx2", 1}}, {{"avx2", 1}}), 0) << "the instruction set says nothing of the kernel";
}

}  // namespace
}  // namespace hone::search
