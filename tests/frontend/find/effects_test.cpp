// Originals that do more than compute, and kernels whose results would take each other's place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> complaints_of(const std::string& body, const std::string& before = "") {
  return Snippet(
             "#include <cstdio>\n#include <cstdlib>\n#include <fstream>\n#include <iostream>\n#include <stdexcept>\n" +
             before + "#pragma hone kernel inout(x[0:n]) problem(n=64)\nvoid f(float* x, int n) {\n" + body + "\n}\n")
      .complaints();
}

TEST(Effects, RejectsKernelThatPrints) {
  EXPECT_THAT(
      complaints_of("  std::printf(\"%d\", n);"),
      ElementsAre("6:1: 'f' does more than compute: main.cpp:8 calls 'printf'; a variant would not do that; move it "
                  "out of the annotated function"));
  EXPECT_THAT(complaints_of("  std::cout << n;"), ElementsAre(HasSubstr("main.cpp:8 uses 'std::cout'")));
  EXPECT_THAT(complaints_of("  std::ofstream out(\"x\");"), ElementsAre(HasSubstr("makes a 'std::basic_ofstream")));
  EXPECT_THAT(complaints_of("  tell(n);", "template <class T> void tell(T n) { if (n > 3) std::puts(\"x\"); }\n"),
              ElementsAre(HasSubstr("main.cpp:6 calls 'puts'")));
}

TEST(Effects, RejectsStoreToForeignVolatileMemory) {
  EXPECT_THAT(complaints_of("  *reinterpret_cast<volatile int*>(static_cast<unsigned long>(4096)) = n;"),
              ElementsAre(HasSubstr("main.cpp:8 stores into volatile memory")));
  EXPECT_THAT(complaints_of("  volatile float own = 1;\n  own = x[0];\n  x[0] = own;"), IsEmpty());
}

TEST(Effects, AcceptsMessageBeforeAbortOrThrow) {
  EXPECT_THAT(complaints_of("  if (n < 0) {\n    std::fprintf(stderr, \"no\");\n    std::abort();\n  }\n  x[0] = 1;"),
              IsEmpty());
  EXPECT_THAT(
      complaints_of("  if (n < 0) {\n    std::puts(\"no\");\n    throw std::runtime_error(\"no\");\n  }\n  x[0] = 1;"),
      IsEmpty());
  EXPECT_THAT(complaints_of("  char text[9];\n  std::snprintf(text, sizeof text, \"%d\", n);\n  x[0] = text[0];"),
              IsEmpty());
}

constexpr const char* kComplains = R"(#include <cstdio>
#include <iostream>
static bool quiet_part(int n) { return n > 7; }
static void report(const char* what) { std::cerr << what; }
#pragma hone kernel inout(x[0:n]) problem(n=64)
bool f(float* x, int n) {
  if (n < 0) {
    report("negative");
    return false;
  }
  if (n == 13) return std::puts("unlucky"), false;
  for (int i = 0; i < n; ++i) x[i] += quiet_part(i);
  return true;
}
)";

TEST(Effects, MayComplainInBranchThatReturnsIfCandidatesDoSo) {
  const Snippet snippet(kComplains);
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const auto check = [&](const std::string& body) {
    return gate.check("bool f(float* x, int n) {\n" + body +
                      "  for (int i = 8; i < n; ++i) x[i] += 1;\n  return true;\n}");
  };
  const std::string negative = "  if (n < 0) { report(\"negative\"); return false; }\n";
  const std::string unlucky = "  if (n == 13) return std::puts(\"unlucky\"), false;\n";
  EXPECT_EQ(check(negative + unlucky), "");
  EXPECT_EQ(check(unlucky + negative + negative), "");
  EXPECT_THAT(check(unlucky), HasSubstr("with 'report' in 1 place where it gives up, and the candidate in 0"));
  EXPECT_THAT(check(negative), HasSubstr("with 'puts' in 1 place"));
  EXPECT_THAT(check(negative + unlucky + "  std::puts(\"more\");\n"),
              HasSubstr("outside of the branches in which it gives up"));
}

TEST(Effects, StayRefusedWhereKernelGivesUpIfTheyAreMoreThanPrinting) {
  EXPECT_THAT(complaints_of("  if (n < 0) { std::ofstream out(\"x\"); return; }"),
              ElementsAre(HasSubstr("makes a 'std")));
  EXPECT_THAT(complaints_of("  if (n < 0) { port(n); return; }",
                            "static void port(int n) { *reinterpret_cast<volatile int*>(4096ul) = n; }\n"),
              ElementsAre(HasSubstr("stores into volatile memory")));
}

// As refract() of a ray tracer does: `if (inside) return refract(I, -N, …);`
TEST(Effects, AreReadOfFunctionsThatCallEachOtherWhereTheyGiveUp) {
  constexpr const char* turned = "static float turned(float v) {\n  if (v < 0) return turned(-v);\n  return v;\n}\n";
  EXPECT_THAT(complaints_of("  x[0] = turned(x[0]);", turned), IsEmpty());
  constexpr const char* both =
      "float odd(int n);\nfloat even(int n) {\n  if (n > 0) return odd(n - 1);\n  return 1;\n}\n"
      "float odd(int n) {\n  if (n > 0) return even(n - 1);\n  std::ofstream(\"x\");\n  return 0;\n}\n";
  EXPECT_THAT(complaints_of("  x[0] = even(n);", both), ElementsAre(HasSubstr("makes a 'std::basic_ofstream")));
}

TEST(KernelNames, AddFunctionWhenTwoKernelsShareName) {
  const Snippet snippet(
      "#pragma hone kernel inout(x[0:n]) problem(n=64) name(work)\nvoid f(float* x, int n) { x[0] = n; }\n"
      "#pragma hone kernel inout(x[0:n]) problem(n=64) name(work)\nvoid g(float* x, int n) { x[0] = n; }\n");
  EXPECT_THAT(snippet.complaints(), IsEmpty());
  const auto found = snippet.find();
  ASSERT_EQ(found.kernels.size(), 2u);
  EXPECT_EQ(found.kernels[0].spec.name, "work(float *, int) of f");
  EXPECT_EQ(found.kernels[1].spec.name, "work(float *, int) of g");
}

}  // namespace
}  // namespace hone::frontend
