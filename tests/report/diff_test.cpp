#include "tool/report/diff.h"

#include <gtest/gtest.h>

namespace hone::report {
namespace {

std::string lines(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + '\n';
  return text;
}

TEST(Diff, IsEmptyForEqualTexts) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_diff("", "", "x", "y"), "");
  EXPECT_EQ(unified_diff("a", "a\n", "x", "y"), "");
}

TEST(Diff, ShowsChangeWithContext) {
  EXPECT_EQ(unified_diff(lines(1, 9), lines(1, 4) + "five\n" + lines(6, 9), "old", "new"),
            "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, JoinsNearChangesAndSeparatesFarOnes) {
  const std::string before = lines(1, 30);
  const std::string near = "one\n" + lines(2, 6) + "seven\n" + lines(8, 30);
  EXPECT_EQ(unified_diff(before, near, "x", "y"),
            "--- x\n+++ y\n@@ -1,10 +1,10 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n-7\n+seven\n 8\n 9\n 10\n");
  const std::string far = "one\n" + lines(2, 29) + "thirty\n";
  EXPECT_EQ(unified_diff(before, far, "x", "y"),
            "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -27,4 +27,4 @@\n 27\n 28\n 29\n-30\n+thirty\n");
}

TEST(Diff, ShowsAddedAndRemovedFile) {
  EXPECT_EQ(unified_diff("", "a\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", "x", "y"), "--- x\n+++ y\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(Diff, ReplacesWholeOfVastText) {
  const std::string text = unified_diff(lines(1, 9000), lines(2, 9001), "x", "y");
  EXPECT_NE(text.find("\n-1\n"), std::string::npos);
  EXPECT_NE(text.find("\n+9001\n"), std::string::npos);
}

}  // namespace
}  // namespace hone::report
