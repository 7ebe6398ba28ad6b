// Where one token ends and the next begins, as C++ compilers see it.
#include <gtest/gtest.h>

#include "annotations/tokens.h"
#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

// The tokens with a '|' between them, or the error.
std::string cut(std::string_view text) {
  const auto tokens = tokenize(text, {1, 1});
  if (const auto* error = std::get_if<ParseError>(&tokens))
    return std::to_string(error->location.line) + ":" + std::to_string(error->location.column) + ": " + error->message +
           "; " + error->expected;
  std::string line;
  for (const Token& token : std::get<Tokens>(tokens).list)
    line.append(line.empty() || token.text.empty() ? "" : "|").append(token.text);
  return line;
}

TEST(Tokens, TakesLongestToken) {
  EXPECT_EQ(cut("a+++b->*c<=>d>>=e"), "a|++|+|b|->*|c|<=>|d|>>=|e");
  EXPECT_EQ(cut("x....5 y..z 1..2"), "x|...|.5|y|.|.|z|1..2");
  EXPECT_EQ(cut("a/ *b"), "a|/|*|b");
}

TEST(Tokens, ReadsNumbersAsCppDoes) {
  EXPECT_EQ(cut("0x1p-2+3"), "0x1p-2|+|3");
  EXPECT_EQ(cut("0x1e+3"), "0x1e+3");
  EXPECT_EQ(cut(".5e-3f-1"), ".5e-3f|-|1");
  EXPECT_EQ(cut("1'000'000u"), "1'000'000u");
  EXPECT_EQ(cut("1.R\"(\""), "1.R|\"(\"");
  EXPECT_EQ(cut("1_kB"), "1_kB");
}

TEST(Tokens, TakesQuoteAsSeparatorOnlyBetweenDigits) {
  EXPECT_EQ(cut("1'+'"), "1|'+'");
  EXPECT_EQ(cut("1'a'2"), "1'a'2");
  EXPECT_EQ(cut("1''e"), "1:2: empty character literal; expected a character between the quotes");
  EXPECT_EQ(cut("a1'x'"), "a1|'x'");
  EXPECT_EQ(cut("1'\\\n0"), "1'0");
}

TEST(Tokens, ReadsLiteralPrefixesAndSuffixes) {
  EXPECT_EQ(cut("u8\"a\"_x L'b' \"c\"sv d'e'"), "u8\"a\"_x|L'b'|\"c\"sv|d|'e'");
  EXPECT_EQ(cut("'\\'' \"\\\"\\\\\""), "'\\''|\"\\\"\\\\\"");
  EXPECT_EQ(cut("\"\" u\"\""), "\"\"|u\"\"");
}

TEST(Tokens, ReadsRawStringOnlyAfterExactPrefix) {
  EXPECT_EQ(cut("R\"(a\"b)\" uR\"x()\")x\"_y"), "R\"(a\"b)\"|uR\"x()\")x\"_y");
  EXPECT_EQ(cut("$R\"(a\""), "$R|\"(a\"");
  EXPECT_EQ(cut("BAR\"(a\""), "BAR|\"(a\"");
  EXPECT_EQ(cut("R \"(a\""), "R|\"(a\"");
}

TEST(Tokens, KeepsRawStringsAndDigitSeparatorsWhole) {
  const Directive d = parsed("kernel problem(n=1'000'000, k=sizeof(R\"x(\"),)x\"), m=u8'(')");
  ASSERT_EQ(d.problems[0].values.size(), 3u);
  EXPECT_EQ(d.problems[0].values[0].value.text, "1'000'000");
  EXPECT_EQ(d.problems[0].values[1].value.text, "sizeof(R\"x(\"),)x\")");
}

TEST(Tokens, AcceptsUtf8Names) {
  EXPECT_EQ(parsed("kernel in(größe[n])").sections[0].name.text, "größe");
}

TEST(Tokens, ReportsStrayBytes) {
  EXPECT_EQ(error_of("kernel in(x@[n])"), "10:24: stray '@' in the directive; expected a clause or an expression");
  EXPECT_EQ(error_of("kernel \\ in(x[n])"),
            "10:20: stray '\\' in the directive; expected nothing behind a backslash that joins lines");
  EXPECT_EQ(error_of(std::string("kernel \0", 8)), "10:20: control character in the directive; expected text");
}

TEST(Tokens, ReportsUnicodeBlanksAndQuotesByCodePoint) {
  EXPECT_EQ(error_of("kernel\u00a0in(x[n])"),
            "10:19: stray U+00A0 in the directive; expected a clause or an expression");
  EXPECT_EQ(error_of("kernel name(\u201cx\u201d)"),
            "10:25: stray U+201C in the directive; expected a clause or an expression");
  EXPECT_EQ(error_of("kernel in(x\u202e[n])"),
            "10:24: stray U+202E in the directive; expected a clause or an expression");
  EXPECT_EQ(error_of("kernel threads(\U0001f600\U000e0001)"),
            "10:32: stray U+E0001 in the directive; expected a clause or an expression");
}

TEST(Tokens, RequiresUtf8OutsideLiterals) {
  EXPECT_EQ(error_of("kernel in(x\xff[n])"), "10:24: stray byte 0xFF in the directive; expected a file in UTF-8");
  EXPECT_EQ(error_of("kernel in(\xc3\\\n\xa9[n])"),
            "10:23: stray byte 0xC3 in the directive; expected a file in UTF-8");
  EXPECT_EQ(parsed("kernel init(x: file(\"\xff.npy\"))").inits[0].path, "\xff.npy");
  EXPECT_EQ(canonical_of("kernel threads(2) // caf\xe9"), "kernel threads(2)");
}

TEST(Tokens, RejectsDigraphsTrigraphsAndEscapedNames) {
  EXPECT_EQ(error_of("kernel in(x<:n:>)"),
            "10:24: digraph '<:' in the directive; expected the character that it stands for");
  EXPECT_EQ(error_of("kernel threads(a%:b)"),
            "10:29: digraph '%:' in the directive; expected the character that it stands for");
  EXPECT_EQ(error_of("kernel in(x?\?(n])"),
            "10:24: trigraph '?\?(' in the directive; expected the character that it stands for");
  EXPECT_EQ(error_of("kernel in(\\u00e9[n])"),
            "10:23: universal character name in the directive; expected the character itself");
  EXPECT_EQ(cut("f<::g>"), "f|<|::|g|>");
  EXPECT_EQ(cut("a < :b"), "a|<|:|b");
}

TEST(Tokens, RejectsControlCharactersInLiterals) {
  EXPECT_EQ(error_of("kernel name(\"a\x1b[2J\")"), "10:27: control character in the directive; expected text");
  EXPECT_EQ(error_of("kernel name(R\"(a\x1b[2J)\")"), "10:29: control character in the directive; expected text");
  EXPECT_EQ(error_of(std::string("kernel name(\"a\0\")", 17)),
            "10:27: control character in the directive; expected text");
}

// What a fuzzer found: splitting and reading had different ideas of where the literal begins.
TEST(Tokens, RejectsEmptyCharacterLiteralBeforeInvalidBytes) {
  EXPECT_EQ(error_of("kernel in(src[0:w*h]) problem(w=1920,l=1''e, h=90\xff\xff'\xff\xff-5)"),
            "10:53: empty character literal; expected a character between the quotes");
}

}  // namespace
}  // namespace hone::annotations
