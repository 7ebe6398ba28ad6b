// fixed(…): found and refused where it stands; variants that rely on it, compiled beside their original.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/first_error.h"
#include "tests/frontend/snippet.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string with_clauses(const std::string& clauses) {
  return "#pragma hone kernel inout(x[0:n]) " + clauses + "\nvoid f(float* x, int n, float a, int k) {\n" +
         "  for (int i = 0; i < n; ++i) x[i] *= a + k;\n}\n";
}

std::vector<std::string> complaints(const std::string& clauses) {
  return Snippet(with_clauses(clauses)).complaints();
}

TEST(Fixed, MarksFixedScalars) {
  const FoundKernels found =
      Snippet(with_clauses("problem(n=8, a=2, k=1) problem(n=9, a=2.0, k=3) fixed(k, a)")).find();
  ASSERT_THAT(found.kernels, SizeIs(1));
  const std::vector<Parameter>& parameters = found.kernels[0].spec.parameters;
  EXPECT_FALSE(parameters[1].fixed);
  EXPECT_TRUE(parameters[2].fixed);
  EXPECT_TRUE(parameters[3].fixed);
  EXPECT_EQ(Snippet(with_clauses("problem(n=8, a=2, k=1)")).find().kernels.at(0).guard.definition, "");
}

TEST(Fixed, GuardComparesEachCombinationOnce) {
  const FoundKernels found =
      Snippet(
          with_clauses("problem(n=8, a=1 / 2.0, k=1) problem(n=9, k=1, a=1 / 2.0) problem(n=9, a=3, k=4) fixed(a, k)"))
          .find();
  EXPECT_THAT(
      found.kernels.at(0).guard.definition,
      HasSubstr("(float hone_value_2, int hone_value_3) {\n"
                "  return (hone_value_2 == static_cast<float>(1 / 2.0) && hone_value_3 == static_cast<int>(1)) ||\n"
                "         (hone_value_2 == static_cast<float>(3) && hone_value_3 == static_cast<int>(4));\n}\n"));
}

TEST(Fixed, GuardAsksForMembersWhereTheFunctionHasThem) {
  const FoundKernels found = Snippet(
                                 "struct Table { unsigned short* cells; int bits; };\n"
                                 "#pragma hone kernel inout(t->cells[0:1 << t->bits]) problem(t->bits=8, by=2) "
                                 "fixed(by, t->bits)\nvoid f(Table* t, float by) { t->cells[t->bits] += by; }\n")
                                 .find();
  ASSERT_THAT(found.kernels, SizeIs(1));
  const Guard& guard = found.kernels[0].guard;
  EXPECT_EQ(guard.arguments, "by, t->bits");
  EXPECT_THAT(guard.definition, HasSubstr("int hone_value_3) {\n  return (hone_value_1 == static_cast<float>(2) && "
                                          "hone_value_3 == static_cast<int>(8))"));
}

TEST(Fixed, RejectsMemberBehindPointerThatIsTestedAgainstNull) {
  EXPECT_THAT(Snippet("struct Table { unsigned short* cells; int bits; };\n"
                      "#pragma hone kernel inout(t->cells[0:9]) problem(t->bits=8) fixed(t->bits)\n"
                      "void f(Table* t) { if (t) t->cells[t->bits] += 1; }\n")
                  .complaints(),
              ElementsAre(HasSubstr("'t->bits' is fixed, and the function expects that 't' may be null")));
}

TEST(Fixed, RejectsAllButScalarsThatEveryProblemSets) {
  EXPECT_THAT(complaints("problem(n=8) fixed(x)"),
              ElementsAre("1:54: 'x' is a pointer; fixed(…) takes scalars that every problem sets"));
  EXPECT_THAT(complaints("problem(n=8) fixed(b)"),
              ElementsAre(HasSubstr("1:54: fixed names 'b', which is no parameter of 'f'")));
  EXPECT_THAT(complaints("problem(n=8, a=1) fixed(a, a)"),
              ElementsAre("1:62: second fixed of 'a'; expected one; the first is at line 1, column 59"));
  EXPECT_THAT(complaints("problem(n=8, a=1) problem(n=9) fixed(a)"),
              ElementsAre("1:53: this problem gives no value to 'a', which is fixed; add a=…"));
  EXPECT_THAT(complaints("problem(n=8, a=n * 2) fixed(a)"),
              ElementsAre(HasSubstr("1:50: 'a' is fixed, and its value depends on the parameter 'n'")));
}

TEST(Fixed, RejectsConstexprAndTemplateFunctions) {
  const auto complaint = [](const std::string& definition) {
    return Snippet("#pragma hone kernel inout(x[0:n]) problem(n=8, a=2) fixed(a)\n" + definition).complaints();
  };
  EXPECT_THAT(complaint("constexpr void f(float* x, int n, float a) { if (n) x[0] = a; }\n"),
              ElementsAre(HasSubstr("fixed(a) is not supported for 'f': it is constexpr")));
  EXPECT_THAT(complaint("template <class T> void f(T* x, int n, T a) { if (n) x[0] = a; }\ntemplate void "
                        "f<float>(float*, int, float);\n"),
              ElementsAre(HasSubstr("fixed(a) is not supported for 'f': it is a template")));
}

constexpr const char* kGuardedFile = R"code(#include <cmath>
#include <cstdio>
namespace app {
constexpr float kTwo = 2;
float helper(int) { return 100; }
#pragma hone kernel inout(x[0:n]) problem(n=8, a=kTwo, k=1) problem(n=9, a=5, k=1) fixed(a, k)
DEFINITION {
  for (int i = 0; i < n; ++i) x[i] = a + k + helper(1);
} int line() { return __LINE__; }
}
int main() {
  float x[1];
  const auto run = [&](float a, int k) { app::f(x, 1, a, k); std::printf("%g ", x[0]); };
  run(2, 1), run(5, 1), run(5, 2), run(3, 1), run(NAN, 1);
  std::printf("| %d %d", app::line(), __LINE__);
}
)code";

// The program's output with the variant beside its original, warnings being errors.
std::string run(const std::string& definition, const std::string& variant) {
  std::string text = kGuardedFile;
  const Snippet snippet(text.replace(text.find("DEFINITION"), 10, definition));
  const FoundKernels found = snippet.find(false);
  EXPECT_THAT(found.kernels, SizeIs(1));
  if (found.kernels.empty()) return "";
  const Silence silence{"#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wfloat-equal\"\n",
                        "#pragma GCC diagnostic pop\n"};
  const auto placed = guarded_replacement(found.kernels[0], variant, "candidate", silence);
  EXPECT_TRUE(placed) << placed.error().message();
  const std::string shadow = rewrite(snippet.text(), "main.cpp", {*placed}),
                    base = snippet.folder().string() + "/shadow";
  EXPECT_EQ(first_error(snippet.command(), shadow, {}), "") << shadow;
  EXPECT_TRUE(os::write_file_atomically(base + ".cpp", shadow));
  const std::string command = "g++ -std=c++17 -Wall -Wextra -Wfloat-equal -Wno-unknown-pragmas -Werror -o " + base +
                              " " + base + ".cpp 2> " + base + ".log && " + base + " > " + base + ".out";
  EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("") << shadow;
  return os::read_file(base + ".out").value_or("");
}

// -1: the variant ran; what the original says goes through its own helper, which the variant overloads.
TEST(Fixed, RunsVariantForFixedValuesAndOriginalOtherwise) {
  const std::string body =
      "(float* values, int count, float, int) {\n  for (int i = 0; i < count; ++i) values[i] = -1;\n}\n";
  const std::string expected = "-1 -1 107 104 nan | 9 15";
  EXPECT_EQ(run("void f(float* x, int n, float a, int k)", "#include <vector>\nvoid f" + body), expected);
  EXPECT_EQ(run("static void f(float* x, int n, float a, int k)", "static void f" + body), expected);
  EXPECT_EQ(run("extern \"C\" void f(float* x, int n, float a, int k)", "extern \"C\" void f" + body), expected);
  EXPECT_EQ(run("[[gnu::hot]] inline void f(float* x, int n, const float a, int k) noexcept",
                "void f(float* values, int count, float, int) noexcept;\n[[gnu::hot]] inline void f(float* values, int "
                "count, "
                "float, int) noexcept { values[count - 1] = -1; }\n"),
            expected);
}

TEST(Fixed, KeepsVariantInScopeWhereItWasJudged) {
  const std::string variant =
      "static float helper(double) { return -2; }\nvoid f(float* x, int n, float, int) { for (int i = 0; i < n; ++i) "
      "x[i] = "
      "helper(1.0) + helper(1); }\n";
  EXPECT_EQ(run("void f(float* x, int n, float a, int k)", variant), "98 98 107 104 nan | 9 15");
}

TEST(Fixed, RejectsVariantThatHidesItsFunctionInMacro) {
  const Snippet snippet(with_clauses("problem(n=8, a=2, k=1) fixed(a)"));
  const auto placed = guarded_replacement(snippet.find(false).kernels.at(0),
                                          "#define F f\nvoid F(float*, int, float, int) {}\n", "candidate", {});
  ASSERT_FALSE(placed);
  EXPECT_THAT(placed.error().message(), HasSubstr("hides its function"));
}

}  // namespace
}  // namespace hone::frontend
