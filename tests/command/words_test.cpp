#include "tool/command/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

TEST(SplitWords, SplitsAtBlanks) {
  EXPECT_THAT(split_words(" srun  -n1\thone-worker - ").value(), ElementsAre("srun", "-n1", "hone-worker", "-"));
}

TEST(SplitWords, KeepsBlanksAndEmptyWordsInQuotes) {
  EXPECT_THAT(split_words(R"(a 'b  c' "d e"f '' "")").value(), ElementsAre("a", "b  c", "d ef", "", ""));
}

TEST(SplitWords, HonorsBackslashOutsideSingleQuotes) {
  EXPECT_THAT(split_words(R"(a\ b '\' "\"\x" \\)").value(), ElementsAre("a b", "\\", "\"\\x", "\\"));
}

TEST(SplitWords, ExpandsNothing) {
  EXPECT_THAT(split_words("$HOME * ;ls").value(), ElementsAre("$HOME", "*", ";ls"));
}

TEST(SplitWords, RejectsOpenQuoteAndEmptyCommand) {
  EXPECT_THAT(split_words("a 'b").error().message(), HasSubstr("is not closed"));
  EXPECT_THAT(split_words("  ").error().message(), HasSubstr("empty"));
}

}  // namespace
}  // namespace hone
