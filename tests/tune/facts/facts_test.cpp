// What prompts say of a kernel's target and of its problems.
#include "tool/tune/facts/facts.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

std::string instruction_sets(const std::string& target) {
  KernelSpec spec;
  spec.target = target;
  return gather_facts(spec, {}, "g++", {}).target;
}

TEST(Facts, NameAllInstructionSetsOfTarget) {
  EXPECT_EQ(instruction_sets("x86_64 64bit avx avx2 bmi clflushopt cmov cx8 fma fxsr lzcnt mmx popcnt rdseed sse sse2 "
                             "sse4.2 ssse3 vaes x87 xsave"),
            "x86_64 avx avx2 bmi fma lzcnt popcnt sse sse2 sse4.2 ssse3 vaes");
  EXPECT_EQ(instruction_sets("x86_64 64bit cx8 fxsr mmx sse sse2 x87"), "x86_64 sse sse2");
  EXPECT_EQ(instruction_sets("aarch64 neon outline-atomics sve2 something-new"), "aarch64 neon sve2 something-new");
}

TEST(Facts, TakeProblemsFromAnnotationWhereNothingIsTimed) {
  KernelSpec spec;
  spec.key_dump = "annotation: kernel problem(n=2 * 3, weight=1) problem(m=4, n=5, weight=3) threads(1)\n";
  const search::TaskFacts facts = gather_facts(spec, {}, "nvcc", untimed(spec));
  ASSERT_EQ(facts.problems.size(), 2u);
  EXPECT_EQ(facts.problems[0].label, "n=2 * 3");
  EXPECT_EQ(facts.problems[1].label, "m=4 n=5");
  EXPECT_EQ(facts.problems[1].seconds, 0);
}

}  // namespace
}  // namespace hone::tune
