// The comment in front of a variant, whoever wrote its words.
#include "tool/tune/reduction/comment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tool/frontend/gate/fingerprint.h"

namespace hone::tune {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

constexpr const char* kFunction =
    "#include <cmath>\nstatic int help() { return 1; }\nvoid f(int* p) {\n  *p = help();\n}\n";

TEST(Explanation, StandsInFrontOfBody) {
  EXPECT_EQ(with_explanation(kFunction, explanation("no branches.", 80)),
            "#include <cmath>\nstatic int help() { return 1; }\nvoid f(int* p) {\n// Faster: no branches.\n"
            "  *p = help();\n}\n");
}

TEST(Explanation, KeepsCodeOnLineOfBrace) {
  EXPECT_EQ(with_explanation("int f() { return 1; }", explanation("less work", 80)),
            "int f() {\n// Faster: less work\n return 1; }");
}

TEST(Explanation, IsAbsentWithoutWords) {
  EXPECT_EQ(explanation(" \n\t ", 80), "");
  EXPECT_EQ(with_explanation(kFunction, ""), kFunction);
}

TEST(Explanation, HasThreeLinesAtMost) {
  std::string words;
  for (int i = 0; i < 200; ++i) words += "word ";
  const auto lines = lines_in(explanation(words, 60));
  ASSERT_EQ(lines.size(), 3u);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 60u);
  EXPECT_TRUE(lines.back().ends_with(" ..."));
}

TEST(Explanation, IsBlocksForC89) {
  EXPECT_EQ(explanation("fewer loads", 80, CommentStyle::block), "/* Faster: fewer loads */\n");
}

TEST(Explanation, SpellsLettersInAscii) {
  EXPECT_EQ(explanation("2\u00d7 as fast \u2014 \u00fcber \u6f22 \u202e", 80), "// Faster: 2x as fast - _ber _ _\n");
}

TEST(Explanation, BearsBytesThatAreNoText) {
  const std::string comment = explanation(std::string("a\0b\xff\xc3", 5) + "\x80 c\x7f", 80);
  EXPECT_TRUE(std::ranges::all_of(comment, [](char byte) { return byte == '\n' || (byte >= ' ' && byte <= '~'); }));
  EXPECT_EQ(lines_in(comment).size(), 1u);
}

class HostileWords : public testing::TestWithParam<const char*> {};

TEST_P(HostileWords, StayComment) {
  for (const CommentStyle style : {CommentStyle::line, CommentStyle::block})
    for (std::size_t columns : {0u, 41u, 80u, 1000u}) {
      const std::string source = with_explanation(kFunction, explanation(GetParam(), columns, style));
      EXPECT_NE(source, kFunction);
      EXPECT_EQ(frontend::fingerprint(source), frontend::fingerprint(kFunction)) << source;
      EXPECT_THAT(source, Not(HasSubstr("\\"))) << "a line that goes on";
      EXPECT_THAT(source, Not(HasSubstr("?\?/"))) << "a trigraph of it";
    }
}

INSTANTIATE_TEST_SUITE_P(Explanation, HostileWords,
                         testing::Values("*/ evil(); /*", "**//evil();/**/", "*\\/ evil();", "x\nevil();", "x\revil();",
                                         "x\v\fevil();", "ends in \\", "ends in ?\?/", "?\?\?/", "x\u2028evil();",
                                         "\u2029evil();", "*\xff/ evil();", "*\u200b/ evil();", "/\\*", "\xe2", "*",
                                         "a*/b*/c*/ d* /e", "#include \"evil\"", "*/ */ */ */ */ */ */ */ */ */ */"));

}  // namespace
}  // namespace hone::tune
