#include <gtest/gtest.h>

#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

TEST(LineSplice, KeepsLineAndColumnForEveryLineEnding) {
  for (const std::string end : {"\\\n", "\\  \t\n", "\\\r\n", "\\ \r\n", "\\\r"}) {
    const Directive d = parsed("kernel in(" + end + "  x[" + end + "n])");
    EXPECT_EQ(d.sections[0].name.location, (Location{11, 3})) << end;
    EXPECT_EQ(d.sections[0].dimensions[0].length, (Expression{"n", {12, 1}})) << end;
  }
}

TEST(LineSplice, JoinsSplitWord) {
  const Directive d = parsed("ker\\\nnel thr\\\neads(10\\\n24)");
  EXPECT_EQ(d.threads, (Expression{"1024", {12, 6}}));
}

TEST(LineSplice, EndsDirectiveAtUnsplicedNewline) {
  EXPECT_EQ(canonical_of("kernel threads(2)\nvoid f(int n) { in(\"; }"), "kernel threads(2)");
  EXPECT_EQ(canonical_of("kernel threads(2)\r\nvoid f();"), "kernel threads(2)");
}

TEST(DirectiveComments, ReadAsBlanksAndKeepColumns) {
  const Directive d = parsed("kernel /* in(a) */ threads(/*a, b)*/ 2 /* ( */ + 1) // out(x");
  EXPECT_EQ(d.threads, (Expression{"2         + 1", {10, 50}}));
}

TEST(DirectiveComments, MaySpanLines) {
  const Directive d = parsed("kernel /* one\n two */ threads(2)");
  EXPECT_EQ(d.threads->location, (Location{11, 17}));
}

TEST(DirectiveComments, LineCommentContinuesAfterSplice) {
  EXPECT_EQ(canonical_of("kernel threads(2) // and \\\n threads(3)"), "kernel threads(2)");
}

TEST(DirectiveComments, MarksInLiteralsStayText) {
  EXPECT_EQ(parsed("kernel init(x: file(\"a//b/*c\"))").inits[0].path, "a//b/*c");
}

TEST(DirectiveText, ReportsUnterminatedCommentOrLiteralAtStart) {
  EXPECT_EQ(error_of("kernel /* in(x[n])"), "10:20: unterminated comment; expected '*/'");
  EXPECT_EQ(error_of("kernel name(\"x)\n\""), "10:25: unterminated literal; expected a closing \"");
  EXPECT_EQ(error_of("kernel problem(c='x)"), "10:30: unterminated literal; expected a closing '");
  EXPECT_EQ(error_of("kernel name(R\"(x)"), "10:26: unterminated raw string; expected its end on the same line");
}

}  // namespace
}  // namespace hone::annotations
