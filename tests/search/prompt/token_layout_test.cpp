#include "tool/search/text/token_layout.h"

#include <gtest/gtest.h>

#include "tool/search/text/code_text.h"

namespace hone::search {
namespace {

TEST(TokenLayout, PutsStatementsOnLines) {
  EXPECT_EQ(
      laid_out_tokens("void f ( float * x , int n ) { for ( int i = 0 ; i < n ; ++ i ) { x [ i ] += 1.5f ; } if ( n "
                      ") { g ( ) ; } else { h ( x [ 0 ] ) ; } }"),
      "void f(float * x, int n) {\n"
      "  for (int i = 0; i < n; ++ i) {\n"
      "    x[i] += 1.5f;\n"
      "  }\n"
      "  if (n) {\n"
      "    g();\n"
      "  } else {\n"
      "    h(x[0]);\n"
      "  }\n"
      "}\n");
}

TEST(TokenLayout, KeepsListsAndDirectivesOnTheirLines) {
  EXPECT_EQ(laid_out_tokens("struct P { float x ; } ;"), "struct P {\n  float x;\n};\n");
  EXPECT_EQ(laid_out_tokens("const int k [ 2 ] [ 2 ] = { { 1 , 2 } , { 3 , 4 } } ; int n ;"),
            "const int k[2][2] = { { 1, 2 }, { 3, 4 } };\nint n;\n");
  EXPECT_EQ(laid_out_tokens("void f ( ) {\n# pragma omp simd\nfor ( ; ; ) g ( ) ; }"),
            "void f() {\n# pragma omp simd\n  for (;;) g();\n}\n");
}

// What the compiler reads: the same tokens.
TEST(TokenLayout, ChangesNoToken) {
  for (const char* text :
       {"a - - b ; c + + d ; e & & f ;", "x = y ? 1 : - 1 ;", "} } ; { (", "s = \"a  b\" ;", "f < g < int > > ( ) ;",
        "auto l = [ & ] ( int i ) { return i ; } ;", "# define A ( x ) x", ""}) {
    const std::string laid_out = laid_out_tokens(text);
    const CodeText before(text), after(laid_out);
    ASSERT_EQ(before.tokens().size(), after.tokens().size()) << text;
    for (std::size_t i = 0; i < before.tokens().size(); ++i) EXPECT_EQ(before.spelling(i), after.spelling(i)) << text;
  }
}

}  // namespace
}  // namespace hone::search
