// A mistake is reported where it stands, with what was expected there.
#include <gtest/gtest.h>

#include "annotations/nearest_word.h"
#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

struct Mistake {
  const char* text;
  const char* error;
};

class ParserMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ParserMistake, ReportsPlaceAndExpectation) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().error) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Directives, ParserMistake,
    ::testing::Values(
        Mistake{"", "10:13: #pragma hone says nothing; expected kernel"},
        Mistake{" kernl in(x[n])", "10:14: unknown directive 'kernl'; did you mean 'kernel'?"},
        Mistake{"tune", "10:13: unknown directive 'tune'; expected kernel"},
        Mistake{"42", "10:13: unexpected '42'; expected kernel"},
        Mistake{"kernel inn(x[n])", "10:20: unknown clause 'inn'; did you mean 'in'?"},
        Mistake{"kernel problme(n=1)", "10:20: unknown clause 'problme'; did you mean 'problem'?"},
        Mistake{"kernel in(x[n]) \\\n  tolerence(exact)",
                "11:3: unknown clause 'tolerence'; did you mean 'tolerance'?"},
        Mistake{
            "kernel banana(1)",
            "10:20: unknown clause 'banana'; expected one of: in, out, inout, problem, init, tolerance, exact, launch, "
            "instantiate, alias, threads, stream, workload, fixed, requires, name"},
        Mistake{"kernel ulp=4", "10:20: unknown clause 'ulp'; did you mean 'tolerance(ulp=…)'?"},
        Mistake{"kernel grid(4)", "10:20: unknown clause 'grid'; did you mean 'launch(grid(…))'?"},
        Mistake{"kernel in(x[n]),", "10:29: unexpected the end of the directive; expected a clause behind ','"},
        Mistake{"kernel (x)", "10:20: unexpected '('; expected a clause"},
        Mistake{"kernel in x[n]", "10:23: unexpected 'x'; expected '(' after 'in', as in in(x[0:n])"}));

INSTANTIATE_TEST_SUITE_P(
    Brackets, ParserMistake,
    ::testing::Values(Mistake{"kernel in(x[n]",
                              "10:22: '(' is never closed; expected ')' before the end of the directive; a line that "
                              "goes on ends in '\\'"},
                      Mistake{"kernel in(x[0:n)",
                              "10:28: ')' does not close '['; expected ']' for the one at line 10, column 24"},
                      Mistake{"kernel in(x[n]))", "10:28: ')' closes nothing; expected a clause"}));

INSTANTIATE_TEST_SUITE_P(
    Sections, ParserMistake,
    ::testing::Values(
        Mistake{"kernel in()", "10:23: empty 'in' clause; expected in(x[0:n])"},
        Mistake{"kernel in(x[0:n]|nul)", "10:30: unexpected 'nul'; expected null: the pointer may be null"},
        Mistake{"kernel in(g->)", "10:26: unexpected ')'; expected a member's name behind '->'"},
        Mistake{"kernel in(x[])", "10:25: unexpected ']'; expected start:length, or a length"},
        Mistake{"kernel in(x[0:])", "10:27: unexpected ']'; expected a length"},
        Mistake{"kernel in(x[0:n:2:4])",
                "10:30: unexpected ':'; expected ']': an extent is start:length:stride, start:length or a length"},
        Mistake{"kernel in(x[0,n])", "10:26: unexpected ','; expected ':' and a length, or ']'"},
        Mistake{"kernel in(x[n] y[n])", "10:28: unexpected 'y'; expected ',' or ')'"},
        Mistake{"kernel in(x[n],)", "10:28: unexpected ')'; expected a parameter's name, as in x[0:n]"},
        Mistake{"kernel in(4[n])", "10:23: unexpected '4'; expected a parameter's name, as in x[0:n]"},
        Mistake{"kernel in(x[n]) out(x[n])",
                "10:33: second section of 'x'; expected one; the first is at line 10, column 23"}));

INSTANTIATE_TEST_SUITE_P(
    Problems, ParserMistake,
    ::testing::Values(Mistake{"kernel problem()", "10:28: empty 'problem' clause; expected problem(n=1024)"},
                      Mistake{"kernel problem(1024)",
                              "10:28: unexpected '1024'; expected a scalar parameter and its value, as in n=1024"},
                      Mistake{"kernel problem(n)", "10:29: unexpected ')'; expected '=' and a value for 'n'"},
                      Mistake{"kernel problem(n==4)", "10:29: unexpected '=='; expected '=' and a value for 'n'"},
                      Mistake{"kernel problem(n=)", "10:30: unexpected ')'; expected a value for 'n'"},
                      Mistake{"kernel problem(n=4 k=5)", "10:33: unexpected '='; expected ',' between two values"},
                      Mistake{"kernel problem(n=4; k=5)", "10:31: unexpected ';'; expected one expression"},
                      Mistake{"kernel problem(n=4, n=5)",
                              "10:33: second value for 'n'; expected one; the first is at line 10, column 28"},
                      Mistake{"kernel problem(weight=2)",
                              "10:20: a problem without values; expected the value of a parameter beside weight, as in "
                              "problem(n=1024, weight=2)"}));

INSTANTIATE_TEST_SUITE_P(
    Data, ParserMistake,
    ::testing::Values(
        Mistake{"kernel init(x: unifrom(0,1))", "10:28: unknown distribution 'unifrom'; did you mean 'uniform'?"},
        Mistake{"kernel init(x: uniform(1))", "10:28: uniform with 1 argument; expected uniform(low, high)"},
        Mistake{"kernel init(x: index)", "10:28: index with 0 arguments; expected index(low, high), high excluded"},
        Mistake{"kernel init(x: zeros(4))", "10:28: zeros with 1 argument; expected zeros"},
        Mistake{"kernel init(x: file(x.npy))",
                "10:33: unexpected 'x'; expected a path as a string, as in file(\"x.npy\")"},
        Mistake{"kernel init(x: file(\"\"))",
                "10:33: empty string; expected a path as a string, as in file(\"x.npy\")"},
        Mistake{"kernel init(x: file(\"a\\n\"))",
                "10:33: escape sequence in '\"a\\n\"'; expected no escapes but \\\\ and \\\""},
        Mistake{"kernel init(x uniform(0,1))", "10:27: unexpected 'uniform'; expected ':' and a distribution for 'x'"},
        Mistake{"kernel init(x: zeros) init(x: sorted)",
                "10:40: second init of 'x'; expected one; the first is at line 10, column 25"}));

INSTANTIATE_TEST_SUITE_P(
    Tolerances, ParserMistake,
    ::testing::Values(
        Mistake{"kernel tolerance(1e-3)", "10:30: unexpected '1e-3'; expected rtol=, atol=, ulp= or exact"},
        Mistake{"kernel tolerance(rtl=1)", "10:30: unknown tolerance 'rtl'; did you mean 'rtol'?"},
        Mistake{"kernel tolerance(exact, rtol=1)",
                "10:37: 'rtol' beside another tolerance; expected rtol= and atol=, or ulp=, or exact"},
        Mistake{"kernel tolerance(rtol=1, exact)",
                "10:38: 'exact' beside another tolerance; expected rtol= and atol=, or ulp=, or exact"},
        Mistake{"kernel tolerance(ulp=1, atol=1)",
                "10:37: 'atol' beside another tolerance; expected rtol= and atol=, or ulp=, or exact"},
        Mistake{"kernel tolerance(rtol=1, rtol=2)",
                "10:38: second rtol; expected one; the first is at line 10, column 35"},
        Mistake{"kernel exact tolerance(rtol=1)",
                "10:26: second tolerance for every output; expected one; the first is at line 10, column 20"},
        Mistake{"kernel tolerance(y: exact) tolerance(y: ulp=2)",
                "10:50: second tolerance for 'y'; expected one; the first is at line 10, column 20"},
        Mistake{"kernel exact(y)",
                "10:25: unexpected '('; expected exact without arguments; for one output: tolerance(y: exact)"}));

INSTANTIATE_TEST_SUITE_P(
    OtherClauses, ParserMistake,
    ::testing::Values(
        Mistake{"kernel launch(grid(1))",
                "10:20: launch without block; expected launch(grid((n + 255) / 256), block(256))"},
        Mistake{"kernel launch(gird(1))", "10:27: unknown launch part 'gird'; did you mean 'grid'?"},
        Mistake{"kernel launch(grid(1,2,3,4), block(1))",
                "10:38: grid with 4 arguments; expected one to three dimensions"},
        Mistake{"kernel launch(grid(1), grid(1))", "10:36: second grid; expected one"},
        Mistake{"kernel launch(grid(1), block(1)) launch(grid(1), block(1))",
                "10:46: second 'launch' clause; expected one; the first is at line 10, column 20"},
        Mistake{"kernel instantiate(float)", "10:37: unexpected ')'; expected '=' and a value for 'float'"},
        Mistake{"kernel alias(x)",
                "10:20: alias of one parameter; expected two or more that may overlap, as in alias(x, y)"},
        Mistake{"kernel alias(x, x)", "10:29: 'x' twice; expected it once"},
        Mistake{"kernel alias(x, y) alias(y, z)",
                "10:38: 'y' is in an alias clause already; expected one clause with all that may overlap"},
        Mistake{"kernel fixed()", "10:26: empty 'fixed' clause; expected fixed(alpha)"},
        Mistake{"kernel fixed(a=1)", "10:27: unexpected '='; expected ',' or ')'"},
        Mistake{"kernel fixed(2)", "10:26: unexpected '2'; expected a scalar parameter's name, as in fixed(alpha)"},
        Mistake{"kernel fixed(a) fixed(b, a)",
                "10:38: second fixed of 'a'; expected one; the first is at line 10, column 26"},
        Mistake{"kernel fixd(a)", "10:20: unknown clause 'fixd'; did you mean 'fixed'?"},
        Mistake{"kernel threads()", "10:28: empty 'threads' clause; expected threads(4)"},
        Mistake{"kernel threads(1, 2)", "10:29: unexpected ','; expected ')': threads takes one"},
        Mistake{"kernel threads(1) threads(2)",
                "10:31: second 'threads' clause; expected one; the first is at line 10, column 28"},
        Mistake{"kernel stream(1)", "10:27: unexpected '1'; expected a parameter's name"},
        Mistake{"kernel workload(a::)", "10:32: unexpected ')'; expected a function's name"},
        Mistake{"kernel name(a b)",
                "10:27: unexpected 'b'; expected an identifier (dots and dashes allowed) or a string"},
        Mistake{"kernel name(a) name(b)",
                "10:28: second 'name' clause; expected one; the first is at line 10, column 25"}));

TEST(ParserLimits, RejectsDeepNesting) {
  const std::string deep = "kernel threads(" + std::string(100'000, '(') + std::string(100'000, ')') + ")";
  EXPECT_EQ(error_of(deep.substr(0, 60'000)),
            "10:91: brackets nested more than 64 deep; expected a simpler expression");
}

TEST(ParserLimits, RejectsLongDirective) {
  const std::string error = error_of("kernel threads(" + std::string(70'000, '1') + ")");
  EXPECT_NE(error.find("longer than 64 KiB"), std::string::npos) << error;
}

TEST(EditDistance, CountsSwapAsOneEdit) {
  EXPECT_EQ(edit_distance("gird", "grid"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace hone::annotations
