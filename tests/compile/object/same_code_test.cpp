// Whether a function's machine code is the same in two objects, by real compilers: the cut unit against a whole file.
#include "tool/compile/object/same_code.h"

#include <gmock/gmock.h>

#include "tests/compile/compiled_text.h"
#include "tests/replaced_text.h"

namespace hone::compile {
namespace {

using testing::HasSubstr;

// Constants, tables, a jump table, a string, calls of its own and of the library.
const std::string unit = R"(#include <cmath>
static const float table[64] = {1, 2, 3, 4, 5};
static __attribute__((noinline)) float helper(float x, int k) {
  switch (k & 7) {
    case 0: return x * 2;
    case 1: return std::sin(x);
    case 2: return x + 7;
    case 3: return std::sqrt(x) * 3.25f;
    case 4: return x - 1;
    case 5: return 1 / x;
    case 6: return x * x * x;
  }
  return 0.5f * x;
}
void squash(const float* x, float* y, int n) {
  if (n == -7) throw "seven";
  for (int i = 0; i < n; ++i) y[i] = helper(x[i], i) + table[i & 63] * 1.5f;
}
)";
const std::string harness =
    "extern \"C\" void hone_call(void** p) { squash((float*)p[0], (float*)p[1], *(int*)p[2]); }\n";

// A file around it that has constants, tables and functions of its own, in front and behind, and calls of it.
std::string in_a_file(const std::string& text) {
  return "#include <vector>\n#include <cstdio>\nstatic const double other[4] = {3.25, 1, 2, 3};\n"
         "double before(int i) { return other[i & 3] * 7.125; }\n"
         "int more(int k) { switch (k) { case 0: return 5; case 1: return 9; case 2: return 77; case 3: return k * 3;\n"
         "  case 4: return before(k); case 5: return 99; } return 3; }\n" +
         text +
         "int user() { std::vector<float> x(100), y(100); squash(x.data(), y.data(), 100);\n"
         "  std::printf(\"eight\"); return y[3] + helper(2, 3); }\n";
}

class SameCode : public testing::TestWithParam<std::string> {
 protected:
  std::string difference(const std::string& judged, const std::string& linked) {
    const std::vector<std::string> apart = {"-ffunction-sections", "-fdata-sections"};
    return code_difference(compiled(GetParam(), judged + harness, apart), compiled(GetParam(), linked + harness, apart),
                           {"hone_call", "_Z6squashPKfPfi"});
  }
};

TEST_P(SameCode, IsFoundForUnitInItsFile) {
  EXPECT_EQ(difference(unit, unit), "");
  EXPECT_EQ(difference(unit, in_a_file(unit)), "");
}

TEST_P(SameCode, IsDeniedIfFunctionOrItsCalleesDiffer) {
  EXPECT_NE(difference(unit, in_a_file(test::replaced(unit, "+ table", "- table"))), "");
  EXPECT_NE(difference(unit, in_a_file(test::replaced(unit, "x + 7", "x + 9"))), "");
  EXPECT_THAT(difference(unit, in_a_file(test::replaced(unit, "{1, 2,", "{1, 9,"))), HasSubstr("table"));
  EXPECT_NE(difference(unit, in_a_file(test::replaced(unit, "3.25f", "3.5f"))), "");
  EXPECT_NE(difference(unit, in_a_file(test::replaced(unit, "std::sin", "std::cos"))), "") << "of the library";
  EXPECT_NE(difference(unit, in_a_file(test::replaced(unit, "\"seven\"", "\"eleven\""))), "");
}

TEST_P(SameCode, IsDeniedIfMacroOfFileChangesCode) {
  const std::string text = test::replaced(unit, "return x - 1;", "\n#ifdef LATER\nreturn x;\n#endif\nreturn x - 1;");
  EXPECT_EQ(difference(text, in_a_file(text)), "");
  EXPECT_NE(difference(text, "#define LATER\n" + in_a_file(text)), "");
}

// Argument-dependent lookup, an overload of the file's: the same tokens, another function.
TEST_P(SameCode, IsDeniedIfCallGoesToOtherFunction) {
  const std::string text = test::replaced(unit, "return x + 7;", "return other_one(x);");
  const std::string cut = "static __attribute__((noinline)) float other_one(double x) { return x + 7; }\n";
  EXPECT_EQ(difference(cut + text, cut + text), "");
  EXPECT_NE(difference(cut + text, cut + "float other_one(float);\n" + text), "");
}

INSTANTIATE_TEST_SUITE_P(Compilers, SameCode, testing::ValuesIn(compilers()),
                         [](const auto& info) { return info.param == "g++" ? "gcc" : "clang"; });

}  // namespace
}  // namespace hone::compile
