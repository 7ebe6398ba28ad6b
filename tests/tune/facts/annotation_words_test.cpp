// What prompts say of a kernel's parameters.
#include "tool/tune/facts/annotation_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::tune {
namespace {

using ::testing::HasSubstr;

Parameter scalar(const std::string& name, bool fixed) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = "float";
  parameter.element = {"float", 4, 4, {{"", {ScalarKind::floating, 4}, 0, 1}}};
  parameter.fixed = fixed;
  return parameter;
}

TEST(AnnotationWords, DistinguishFixedScalarsFromVariedOnes) {
  KernelSpec spec;
  spec.parameters = {scalar("a", true), scalar("b", false)};
  spec.key_dump = "annotation: kernel problem(a=2, b=3, weight=1) problem(a=5, b=3, weight=1) threads(1) fixed(a)\n";
  const std::string words = annotation_in_words(spec);
  EXPECT_THAT(words,
              HasSubstr("- a: float; only ever 2, 5, which you may rely on: with other values the original runs\n"));
  EXPECT_THAT(words, HasSubstr("- b: float; 3 where it is timed, other values where it is verified\n"));
}

}  // namespace
}  // namespace hone::tune
