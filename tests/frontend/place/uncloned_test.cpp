// Callers in the variant's own source call it as it was judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/snippet.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string lines_for(const std::string& text) {
  const Snippet snippet(text);
  const FoundKernels found = snippet.find(false);
  EXPECT_EQ(found.kernels.size(), 1u) << text;
  return found.kernels.empty() ? "" : found.kernels.front().placement.uncloned;
}

const std::string pragma = "#pragma hone kernel inout(x[0:n])\n";

TEST(Uncloned, DeclaresFunctionsOnceMore) {
  EXPECT_THAT(lines_for(pragma + "static void f(int* x, int n)  // all of it\n{ x[n - 1] = 1; }\n"),
              HasSubstr("\nstatic void f(int* x, int n)  // all of it\n\n__attribute__((noipa));\n"));
  EXPECT_THAT(lines_for("extern \"C\" {\n" + pragma + "void f(int* x, int n) { x[n - 1] = 1; }\n}\n"),
              HasSubstr("void f(int* x, int n) \n__attribute__((noinline));\n"));
}

TEST(Uncloned, LeavesWhatIsCopiedOnPurposeOrCannotBeDeclaredAgain) {
  for (const char* function : {
           "inline void f(int* x, int n) { x[n - 1] = 1; }",
           "constexpr void f(int* x, int n) { x[n - 1] = 1; }",
           "__attribute__((always_inline)) void f(int* x, int n) { x[n - 1] = 1; }",
           "__attribute__((target(\"avx2\"))) void f(int* x, int n) { x[n - 1] = 1; }",
           "void f(int* x, int n = 4) { x[n - 1] = 1; }",
           "auto f(int* x, int n) { x[n - 1] = 1; }",
           "auto f(int* x, int n) -> void { x[n - 1] = 1; }",
           "void f(int* x,\n#ifdef LONG\nlong n\n#else\nint n\n#endif\n) { x[n - 1] = 1; }",
       })
    EXPECT_THAT(lines_for(pragma + function + "\n"), IsEmpty()) << function;
  EXPECT_THAT(lines_for("namespace app { void f(int* x, int n); }\n" + pragma +
                        "void app::f(int* x, int n) { x[n - 1] = 1; }\n"),
              IsEmpty());
  EXPECT_THAT(lines_for("struct S { static void f(int* x, int n); };\n" + pragma +
                        "void S::f(int* x, int n) { x[n - 1] = 1; }\n"),
              IsEmpty());
}

// What g++ and Clang make of a caller with constants.
class UnclonedBy : public testing::TestWithParam<const char*> {
 protected:
  static std::string symbols(const std::string& variant) {
    const std::string declared = "void f(int* x, int n);\n";
    const Snippet snippet(declared + pragma + "void f(int* x, int n) { for (int i = 0; i < n; ++i) x[i] = i; }\n" +
                          "void caller(int* x) { f(x, 8); }\n");
    const FoundKernels found = snippet.find(false);
    const std::string base = snippet.folder().string() + "/shadow";
    EXPECT_TRUE(os::write_file_atomically(
        base + ".cpp", rewrite(snippet.text(), "main.cpp", {{found.kernels.at(0).placement, variant, "hone/cas/f"}})));
    const std::string command = std::string(GetParam()) + " -O3 -Wall -Wextra -Wredundant-decls -Wno-unknown-pragmas " +
                                "-Werror -c -o " + base + ".o " + base + ".cpp > " + base +
                                ".log 2>&1 && objdump -dr " + base + ".o > " + base + ".symbols";
    EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("");
    return os::read_file(base + ".symbols").value_or("");
  }
};

TEST_P(UnclonedBy, CallersCallVariant) {
  const std::string code = symbols("void f(int* x, int n) {\n  for (int i = n; i-- > 0;) x[i] = i;\n}\n");
  const std::string caller = code.substr(code.find("<_Z6callerPi>:"));
  EXPECT_THAT(caller, HasSubstr("_Z1fPii"));
  EXPECT_THAT(code, Not(HasSubstr("constprop")));
}

TEST_P(UnclonedBy, VariantsForOtherInstructionSetsCompile) {
  EXPECT_THAT(symbols("__attribute__((target_clones(\"default\", \"avx2\"))) void f(int* x, int n) {\n"
                      "  for (int i = n; i-- > 0;) x[i] = i;\n}\n"),
              HasSubstr("_Z6callerPi"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, UnclonedBy, testing::Values("g++", "clang++-19"),
                         [](const auto& compiler) { return compiler.param[0] == 'g' ? "Gcc" : "Clang"; });

}  // namespace
}  // namespace hone::frontend
