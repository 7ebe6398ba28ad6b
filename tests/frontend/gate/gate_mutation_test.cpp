// The gate on candidates broken at random: it always answers, with one sentence or none, and goes on working.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

constexpr const char* kMutatedKernel =
    "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
    "void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n";

constexpr const char* kGood =
    "#define STEP(i) do { y[i] = 2 * x[i]; } while (0)\ntypedef float v4 __attribute__((vector_size(16)));\n"
    "template <int N> static inline float times(float v) { return N * v; }\n"
    "static constexpr float kTable[] = {1, 2, 3, 4};\nstruct Pair { float a; float b; };\n"
    "#pragma GCC push_options\n#pragma GCC optimize(\"O3\")\nvoid f(const float* x, float* y, int n) {\n"
    "  auto at = [&](int i) { return times<2>(x[i]); };\n#pragma GCC ivdep\n"
    "  for (int i = 0; i < n; ++i) { STEP(i); y[i] = at(i) + 0 * kTable[i & 3]; }\n}\n#pragma GCC pop_options\n#undef "
    "STEP\n";

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return bound == 0 ? 0 : random() % bound;
}

// Bytes taken out, doubled, swapped for others that mean something to a compiler.
std::string broken(std::string text, Random& random) {
  static const std::vector<std::string> pieces = {"{",
                                                  "}",
                                                  "(",
                                                  ")",
                                                  "[",
                                                  "]",
                                                  "\"",
                                                  "'",
                                                  "/*",
                                                  "*/",
                                                  "//",
                                                  "\\\n",
                                                  "#",
                                                  "##",
                                                  "\n#",
                                                  "#if 1\n",
                                                  "<",
                                                  ">>",
                                                  "::",
                                                  "R\"(",
                                                  "template",
                                                  "operator",
                                                  "?\?/",
                                                  "static ",
                                                  "\0",
                                                  "\xFF",
                                                  "\xE2\x80\xAE",
                                                  "#endif\n",
                                                  "#else\n",
                                                  "[[",
                                                  "]]",
                                                  "__attribute__((",
                                                  "_Pragma(\"",
                                                  "extern \"C\" ",
                                                  "constexpr ",
                                                  "@",
                                                  "%:",
                                                  ";",
                                                  ",",
                                                  "...",
                                                  "0x1p"};
  for (std::size_t times = 1 + below(random, 4); times > 0; --times) {
    const std::size_t at = below(random, text.size()), length = below(random, 24);
    switch (below(random, 4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(below(random, text.size()), length));
        break;
      case 2:
        text.insert(at, pieces[below(random, pieces.size())]);
        break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
    }
  }
  return text;
}

TEST(GateMutation, AnswersMutatedCandidatesAndKeepsWorking) {
  const Snippet snippet(kMutatedKernel);
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  ASSERT_EQ(gate.check(kGood), "");
  Random random(20250711);
  for (int i = 0; i < 150; ++i) {
    const std::string candidate = broken(kGood, random);
    const std::string reason = gate.check(candidate);
    EXPECT_EQ(reason.find("Clang cannot take it in"), std::string::npos) << reason << "\n" << candidate;
    EXPECT_EQ(reason.find('\0'), std::string::npos);
  }
  EXPECT_EQ(gate.check(kGood), "");
}

}  // namespace
}  // namespace hone::frontend
