// What a reduction may leave out of a text, by its tokens.
#include "tool/frontend/parse/statement_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts_of_parts(const std::string& source, unsigned level) {
  std::vector<std::string> found;
  for (const TextPart& part : parts_of(source, level))
    found.push_back(source.substr(part.begin, part.end - part.begin));
  return found;
}

constexpr const char* kStatements =
    "#include <cmath>\n"
    "constexpr int lanes = 8;\n"
    "struct Pair { int a, b; };\n"
    "static int help(int x) {\n  int y = x;\n  return y;\n}\n"
    "void f(float* p, int n) {\n"
    "  float sum[lanes] = {0};\n"
    "#pragma GCC ivdep\n"
    "  for (int i = 0; i < n; ++i) {\n    sum[0] += p[i];\n    if (n) p[i] = 0; else p[i] = 1;\n  }\n"
    "  if (n < 0) return;\n"
    "  do { --n; } while (n > 0);\n"
    "  const auto add = [&](int i) { p[i] += 1; };\n"
    "}\n";

TEST(StatementRanges, HoldHelpers) {
  EXPECT_THAT(texts_of_parts(kStatements, 0), ElementsAre("constexpr int lanes = 8;", "struct Pair { int a, b; };",
                                                          "static int help(int x) {\n  int y = x;\n  return y;\n}"));
}

TEST(StatementRanges, HoldStatementsWithTheirPragmas) {
  EXPECT_THAT(texts_of_parts(kStatements, 1),
              ElementsAre("int y = x;", "float sum[lanes] = {0};",
                          "#pragma GCC ivdep\n  for (int i = 0; i < n; ++i) {\n    sum[0] += p[i];\n    if (n) p[i] = "
                          "0; else p[i] = 1;\n  }",
                          "do { --n; } while (n > 0);", "const auto add = [&](int i) { p[i] += 1; };"));
}

TEST(StatementRanges, HoldStatementsInsideBlocks) {
  EXPECT_THAT(texts_of_parts(kStatements, 2),
              ElementsAre("sum[0] += p[i];", "if (n) p[i] = 0; else p[i] = 1;", "--n;"));
  EXPECT_THAT(texts_of_parts(kStatements, 3), IsEmpty());
}

TEST(StatementRanges, LeaveOutWholeLines) {
  const std::string source = "void f(int* p) {\n  p[0] = 1;\n  p[1] = 2; p[2] = 3;\n}\n";
  const auto parts = parts_of(source, 1);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(without_parts(source, {parts[0], parts[1]}), "void f(int* p) {\n   p[2] = 3;\n}\n");
  EXPECT_EQ(without_parts(source, {}), source);
}

TEST(StatementRanges, AreNoneUnderConditions) {
  EXPECT_THAT(parts_of("void f(int* p) {\n#if X\n  *p = 1;\n#else\n  *p = 2;\n#endif\n}\n", 1), IsEmpty());
}

TEST(StatementRanges, BearTextThatIsNone) {
  for (const char* text : {"", "{", "}", ";", "void f( {", "void f() { if", "void f() { for (;;", "void f() { else }",
                           "void f() { do", "#", "void f() { x", "}}}}", "= { ;", "void f() { do { } while", "\xff{(",
                           "void f() { switch (x) { case 1: y; }"})
    for (unsigned level = 0; level < 4; ++level)
      for (const TextPart& part : parts_of(text, level)) {
        EXPECT_LT(part.begin, part.end) << text;
        EXPECT_LE(part.end, std::string(text).size()) << text;
      }
}

TEST(StatementRanges, FindLastBody) {
  const std::string source = kStatements;
  const auto body = body_of_last_function(source);
  ASSERT_TRUE(body);
  EXPECT_EQ(source.substr(0, *body), source.substr(0, source.find("n) {") + 4)) << "or the helper's";
  EXPECT_EQ(body_of_last_function("int f() { return 1; }\nstruct S { int a; };\n"), std::nullopt);
  EXPECT_EQ(body_of_last_function("int x;"), std::nullopt);
}

}  // namespace
}  // namespace hone::frontend
