#include "tool/compile/unit/preamble.h"

#include <gtest/gtest.h>

namespace hone::compile {
namespace {

// The text with its preamble's end marked by "^".
std::size_t size_of(std::string text) {
  const std::size_t mark = text.find('^');
  text.erase(mark, 1);
  EXPECT_EQ(preamble_size(text), mark) << text;
  return mark;
}

const std::string header = "# 1 \"/usr/include/h\" 1 3 4\nint h;\n";

TEST(Preamble, EndsWhereLastIncludeInFrontOfCodeReturns) {
  size_of("# 1 \"unit\"\n" + header + "# 2 \"a.cpp\" 2\n\n" + header + "^# 3 \"a.cpp\" 2\n#define A 1\nint a;\n" +
          header + "# 5 \"a.cpp\" 2\nint b;\n");
}

TEST(Preamble, IsEmptyWithoutInclude) {
  size_of("^# 1 \"unit\"\n#define A 1\nint a;\n");
  size_of("^int a;\n" + header + "# 2 \"a.cpp\" 2\n");
}

TEST(Preamble, HoldsCommentsAndDirectivesOfSeveralLines) {
  size_of("// first\n/* of\n   several lines */ /* two */ // three\n#define A(x) \\\n  x\n" + header +
          "^# 9 \"a.cpp\" 2\nint a;\n");
}

TEST(Preamble, EndsInFrontOfWhatSurroundsInclude) {
  size_of(header + "^# 2 \"a.cpp\" 2\nextern \"C\" {\n" + header + "# 4 \"a.cpp\" 2\n}\n");
}

TEST(Preamble, HoldsIncludesOfIncludes) {
  size_of("# 1 \"p.h\" 1\n" + header + "# 2 \"p.h\" 2\nint p;\n^# 2 \"a.cpp\" 2\nint a;\n");
}

TEST(Preamble, IsNotWhatCommandIncludes) {
  size_of(
      "^# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"unit\"\n");
}

TEST(Preamble, EndsInFrontOfPragmasThatDecideCode) {
  size_of(header + "^# 2 \"a.cpp\" 2\n#  pragma GCC optimize (\"O1\")\n" + header + "# 4 \"a.cpp\" 2\n");
  size_of(header + "^# 2 \"a.cpp\" 2\n# 1 \"p.h\" 1\n#pragma pack(1)\n# 3 \"a.cpp\" 2\n");
}

TEST(Preamble, HoldsOtherPragmas) {
  size_of("# 1 \"p.h\" 1\n#pragma once\n#pragma GCC diagnostic push\n^# 3 \"a.cpp\" 2\n");
  size_of("# 1 \"/usr/include/h\" 1 3\n#pragma GCC push_options\n^# 3 \"a.cpp\" 2\n");
}

TEST(Preamble, LeavesTextThatNamesItsLines) {
  const std::string text = header + "# 7 \"a.cpp\" 2\n\nint a;\n";
  EXPECT_EQ(behind_preamble(text, preamble_size(text)), "# 7 \"a.cpp\"\n\nint a;\n");
  EXPECT_EQ(behind_preamble("int a;\n", 0), "int a;\n");
}

}  // namespace
}  // namespace hone::compile
