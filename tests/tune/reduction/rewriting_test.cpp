// Shorter ways to write a text, and what is not proposed.
#include "tool/tune/reduction/rewriting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const std::vector<Rewriting>& rewritings) {
  std::vector<std::string> texts;
  for (const Rewriting& one : rewritings) texts.push_back(one.text);
  return texts;
}

std::vector<std::string> hints(const std::string& source) {
  std::vector<std::string> words;
  for (const frontend::TextPart& part : hints_in(source))
    words.push_back(source.substr(part.begin, part.end - part.begin));
  return words;
}

TEST(NumberForConstant, StandsAtEveryUse) {
  EXPECT_THAT(texts(with_number_for_constant("constexpr auto TILE = 64;\n"
                                             "void f(float* p) {\n  float t[TILE];\n  for (int i = 0; i < TILE; ++i) "
                                             "p[i] = t[i];\n}\n")),
              ElementsAre("void f(float* p) {\n  float t[64];\n  for (int i = 0; i < 64; ++i) p[i] = t[i];\n}\n"));
}

TEST(NumberForConstant, StandsInPragmas) {
  EXPECT_THAT(
      texts(with_number_for_constant("void f() {\n  constexpr auto N = 4;\n#pragma GCC unroll N\n  for (;;);\n}")),
      ElementsAre("void f() {\n#pragma GCC unroll 4\n  for (;;);\n}"));
}

TEST(NumberForConstant, KeepsItsSignApart) {
  EXPECT_THAT(texts(with_number_for_constant("static const float kLow = -0.5f;\nfloat f(float x) { return x -kLow; }")),
              ElementsAre("float f(float x) { return x -(-0.5f); }"));
}

TEST(NumberForConstant, IsOfTheDeclaredType) {
  for (const char* declaration :
       {"constexpr float k = 2;", "const unsigned k = 2;", "constexpr int k = 0xffffffff;", "const size_t k = 2;",
        "constexpr double k = 2.f;", "constexpr int k = 2 + 2;", "int k = 2;", "constexpr int k = 5000000000;"})
    EXPECT_THAT(with_number_for_constant(std::string(declaration) + "\nauto f() { return k / 3; }"), IsEmpty())
        << declaration;
}

TEST(NumberForConstant, IsNoOtherThingOfThatName) {
  EXPECT_THAT(with_number_for_constant("constexpr int n = 2;\nint f(int n) { return n; }"), IsEmpty());
  EXPECT_THAT(with_number_for_constant("constexpr int n = 2;\nint f(S s) { return s.n; }"), IsEmpty());
  EXPECT_THAT(with_number_for_constant("constexpr int n = 2;\nint f() { return 1; }"), IsEmpty()) << "no use";
}

TEST(BodyForCall, KeepsTypes) {
  EXPECT_THAT(texts(with_body_for_call("static inline float half(float v) { return v * 0.5; }\n"
                                       "void f(const int* x, float* y) {\n  y[0] = half(x[0] + 1);\n}\n")),
              ElementsAre("void f(const int* x, float* y) {\n  y[0] = float(float(x[0] + 1) * 0.5);\n}\n"));
}

TEST(BodyForCall, TakesVariableOfItsType) {
  EXPECT_THAT(texts(with_body_for_call("static float square(const float v) { return v * v; }\n"
                                       "void f(float* y) {\n  float a = y[1];\n  y[0] = square(a);\n}\n")),
              ElementsAre("void f(float* y) {\n  float a = y[1];\n  y[0] = float(a * a);\n}\n"));
}

TEST(BodyForCall, IsBlockWhereNothingIsReturned) {
  EXPECT_THAT(texts(with_body_for_call("static void set(float* row, int n, float to) {\n  for (int i = 0; i < n; ++i) "
                                       "row[i] = to;\n}\nvoid f(float* y, int n) {\n  set(y + 1, n, 0);\n}\n")),
              ElementsAre("void f(float* y, int n) {\n  {\nfloat * row = y + 1;\nfloat to = 0;\nfor (int i = 0; i < n; "
                          "++i) row[i] = to;\n}\n}\n"));
}

struct Refused {
  const char* why;
  const char* source;
};

TEST(BodyForCall, IsNotProposedWhereTokensDoNotTell) {
  for (const Refused& refused : {
           Refused{"two calls", "int h(int a) { return a; }\nint f(int x) { return h(x) + h(1); }"},
           {"evaluated twice", "int h(int a) { return a * a; }\nint f(int x) { return h(g(x)); }"},
           {"a function's address", "int h(int a) { return a; }\nint f(int x) { return g(&h); }"},
           {"several statements", "int h(int a) { ++a; return a; }\nint f(int x) { return h(x); }"},
           {"a name is captured", "int n;\nint h(int a) { return a + n; }\nint f(int n) { return h(n); }"},
           {"an argument is captured", "void h(int* a, int b) { *a = b; }\nvoid f(int* b) { h(b, 1); }"},
           {"a copy is changed", "void h(int n) { while (n--) g(); }\nvoid f(int n) { h(n); g(n); }"},
           {"it leaves early", "void h(int n) { if (n) return; g(); }\nvoid f(int n) { h(n); g(); }"},
           {"a template", "template <class T> T h(T a) { return a; }\nint f(int x) { return h(x); }"},
           {"a type of two words", "long long h(int a) { return a; }\nint f(int x) { return h(x); }"},
           {"a value is used", "void h(int n) { g(); }\nvoid f(int n) { n ? h(n) : g(); }"},
           {"a default", "int h(int a, int b = 2) { return a + b; }\nint f(int x) { return h(x); }"},
           {"no text", "int h(int"},
       })
    EXPECT_THAT(texts(with_body_for_call(refused.source)), IsEmpty()) << refused.why;
}

TEST(Rewritings, BearTextThatEndsAnywhere) {
  const std::string text =
      "static constexpr auto T = -6;\n__attribute__((hot)) static int h(int a, const float* b) { return a[b] + T; }\n"
      "static void g(int& n) { n = h(n, \"x\"); }\n#pragma GCC unroll T\nvoid f(int n) { [&] { g(n); }(); }\n";
  for (std::size_t end = 0; end <= text.size(); ++end)
    for (const std::string& part : {text.substr(0, end), text.substr(end)}) {
      for (const auto& rewritings : {with_number_for_constant(part), with_body_for_call(part)})
        for (const Rewriting& one : rewritings) EXPECT_NE(one.text, part);
      for (const frontend::TextPart& hint : hints_in(part)) EXPECT_LE(hint.end, part.size());
    }
}

TEST(Hints, ArePragmasAttributesAndPrefetches) {
  EXPECT_THAT(hints("#include <x>\n__attribute__((hot)) void f(float* __restrict__ p) {\n#pragma GCC ivdep\n  for (;;) "
                    "{\n    __builtin_prefetch(p + 8);\n    [[likely]] p[i[0]] = 1;\n  }\n}\n"),
              ElementsAre("__attribute__((hot))", "__restrict__", "#pragma GCC ivdep", "__builtin_prefetch(p + 8);",
                          "[[likely]]"));
}

TEST(Hints, AreNoneInTextWithoutAny) {
  EXPECT_THAT(hints("void f(float* p) { p[p[0]] = 1; }"), IsEmpty());
  EXPECT_THAT(hints(""), IsEmpty());
  EXPECT_THAT(hints("#pragma"), ElementsAre("#pragma"));
}

}  // namespace
}  // namespace hone::tune
