// A variant in the file of its kernel: what it may not be there, and may not do to the code around it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/whole/whole_file_check.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Much of it is out of the kernel's reach, and so not in its unit.
constexpr const char* kFile = R"code(#include <cstdlib>
#include <vector>
#define FAST_PATH 1
namespace app {
struct Box { int side; };
int volume(const Box& box) { return box.side; }
inline int half(long v) { return static_cast<int>(v / 2); }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)
void scale(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
}
template <class T> T twice(T v) { return v + v; }
int clamp(int v) { return v < 0 ? 0 : v; }
float below(float v) { return abs(static_cast<int>(v)) + clamp(-1) + twice(1.5f) + half(4); }
}
int main() { float x[1] = {1}, y[1]; app::scale(x, y, 1); std::vector<app::Box> all; return app::volume({1}) + (int)all.size(); }
)code";

constexpr const char* kBody =
    "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i];\n}\n";

class WholeFile : public testing::Test {
 protected:
  explicit WholeFile(const std::string& text = kFile) : snippet_(text), kernel_(snippet_.find().kernels.at(0)) {}

  std::string object(const std::string& variant) {
    return object_in_file(kernel_, variant, snippet_.text(), {}, snippet_.command(), {});
  }
  // What the gate alone makes of it, in the unit.
  std::string gate_says(const std::string& variant) { return gate(kernel_.spec, variant, snippet_.command(), {}); }

  Snippet snippet_;
  FoundKernel kernel_;
};

TEST_F(WholeFile, AcceptsOriginalAndHonestVariants) {
  EXPECT_EQ(object(kernel_.spec.unit.definition), "");
  EXPECT_EQ(object(kBody), "");
  EXPECT_EQ(
      object("#include <algorithm>\nstatic float own(float v) { return std::max(v, v) * 2; }\n"
             "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = own(x[i]);\n}\n"),
      "");
}

TEST_F(WholeFile, AcceptsTemplateInstances) {
  EXPECT_EQ(
      object("#include <vector>\n#include <numeric>\n#define WIDTH 8\n"
             "namespace {\ntemplate <int N> struct Sum { float v[N]; float get() const { return v[0] * N; } };\n}\n"
             "void scale(const float* x, float* y, int n) {\n  std::vector<float> copy(x, x + n);\n"
             "  for (float& v : copy) v += v;\n  Sum<WIDTH> sum{};\n  for (int i = 0; i < n; ++i) y[i] = copy[i] + "
             "sum.get();\n}\n"
             "#undef WIDTH\n"),
      "");
}

TEST_F(WholeFile, AcceptsKernelThatIsAnInstanceAndCalledBelow) {
  for (const char* text : {"#pragma hone kernel inout(x[0:n]) problem(n=64) instantiate(T=float)\n"
                           "template <class T> void scale(T* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 2;\n}\n"
                           "int main() { float x[1] = {1}; scale(x, 1); }\n",
                           "template <class T> struct Gain {\n"
                           "#pragma hone kernel inout(x[0:n]) problem(n=64) instantiate(T=float)\n"
                           "  static void scale(T* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 2;\n}\n};\n"
                           "int main() { float x[1] = {1}; Gain<float>::scale(x, 1); }\n"}) {
    snippet_.rewrite_main(text);
    FoundKernels found = snippet_.find();
    ASSERT_EQ(found.kernels.size(), 1u) << text;
    kernel_ = found.kernels[0];
    std::string variant = kernel_.spec.unit.definition;
    variant.replace(variant.find("x[i] *= 2"), 9, "x[i] += x[i]");
    EXPECT_EQ(object_in_file(kernel_, variant, found.file.text, {}, found.file.command, {}), "") << text;
  }
}

// Clang numbers what a range's loop declares by how deep the use stands that instantiates the function around it.
TEST_F(WholeFile, AcceptsTemplateWithRangeLoopThatOriginalUsesInAnotherBlock) {
  snippet_.rewrite_main(
      "template <class T> struct Four {\n  T values[4];\n"
      "  constexpr T sum() const { T all = 0; for (T value : values) all += value; return all; }\n};\n"
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
      "void scale(const float* x, float* y, int n) {\n"
      "  for (int i = 0; i < n; ++i) { if (n > 0) { y[i] = x[i] * Four<float>{{1, 1, 0, 0}}.sum(); } }\n}\n"
      "int main() { float x[1] = {1}, y[1]; scale(x, y, 1); }\n");
  kernel_ = snippet_.find().kernels.at(0);
  EXPECT_EQ(object("void scale(const float* x, float* y, int n) {\n  const float two = Four<float>{{1, 1, 0, 0}}.sum();\n"
                   "  for (int i = 0; i < n; ++i) y[i] = two * x[i];\n}\n"),
            "");
}

// Clang has one canonical type for both arrays. It names the length as the first template does.
TEST_F(WholeFile, AcceptsTemplateOfShapeThatFileHasAbove) {
  snippet_.rewrite_main(
      "template <class U, int size> struct Block { U values[size]; };\n"
      "template <class U, int size> struct Blocks { Block<U, size + size> both; };\n"
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
      "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"
      "int main() { return Blocks<int, 2>{}.both.values[0]; }\n");
  kernel_ = snippet_.find().kernels.at(0);
  EXPECT_EQ(object("template <class T, int count> struct Pack { T part[count]; };\n"
                   "template <class T, int count> struct Packs { Pack<T, count + count> both; };\n"
                   "void scale(const float* x, float* y, int n) {\n"
                   "  for (int i = 0; i < n; ++i) y[i] = Packs<float, 1>{x[i], x[i]}.both.part[0] * 2;\n}\n"),
            "");
}

TEST_F(WholeFile, RejectsTemplateWhoseWordsMeanSomethingElseInFile) {
  snippet_.rewrite_main(
      "template <class T, int size> struct Cell { T values[size]; };\nnamespace app {\n"
      "template <class T, int size> struct Cell { T values[size]; int more; };\n"
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
      "void scale(const float* x, float* y, int n) {\n"
      "  ::Cell<float, 1> all{};\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + all.values[0];\n}\n"
      "int below() { return Cell<int, 1>{}.more; }\n}\n");
  kernel_ = snippet_.find().kernels.at(0);
  const std::string variant =
      "template <class T, int count> struct Box { Cell<T, count + 1> cell; };\n"
      "void scale(const float* x, float* y, int n) {\n"
      "  ::Cell<float, 1> all{};\n  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i] + 0 * sizeof(all);\n}\n";
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant), HasSubstr("in the kernel's file this means"));
}

// The original stays below such a variant, and must go on to mean what it meant.
TEST_F(WholeFile, AcceptsOriginalBesideVariantWithFixedScalar) {
  snippet_.rewrite_main(
      "float bias(float v) { return v; }\n#pragma hone kernel inout(x[0:n]) problem(n=64, a=2) fixed(a)\n"
      "void scale(float* x, int n, float a) {\n  for (int i = 0; i < n; ++i) x[i] = a * x[i] + bias(1);\n}\n"
      "int main() { float x[1] = {1}; scale(x, 1, 3); }\n");
  kernel_ = snippet_.find().kernels.at(0);
  EXPECT_EQ(
      object("void scale(float* x, int n, float) {\n  for (int i = 0; i < n; ++i) x[i] = 2 * x[i] + bias(1.f);\n}\n"),
      "");
}

// <math.h> brings std's overloads of abs into the global namespace.
TEST_F(WholeFile, RejectsIncludeThatChangesLaterCall) {
  snippet_.rewrite_main(
      "#include <cstdlib>\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
      "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"
      "template <class T> double size_of(T v) { return abs(v); }\n"
      "double below(float v) { return abs(v) + size_of(v); }\n");
  kernel_ = snippet_.find().kernels.at(0);
  const std::string variant = std::string("#include <math.h>\n") + kBody;
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant),
              HasSubstr("main.cpp:7 means 'std::abs float (float)' instead of 'abs int (int) noexcept'; leave out"));
}

TEST_F(WholeFile, RejectsHelperThatChangesLaterCall) {
  const std::string variant = std::string("static int half(int v) { return v; }\n") + kBody;
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant), HasSubstr("with the variant in place main.cpp:14 means 'app::half int (int)' instead of "
                                         "'app::half int (long)'; give what the candidate defines names of its own"));
}

TEST_F(WholeFile, RejectsTypeThatHidesOuterType) {
  snippet_.rewrite_main(
      "#include <cstdlib>\nnamespace app {\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
      "void scale(const float* x, float* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"
      "long below() { ldiv_t both{}; return sizeof both; }\n}\n");
  kernel_ = snippet_.find().kernels.at(0);
  const std::string variant = std::string("struct ldiv_t { int own; };\n") + kBody;
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant), HasSubstr("with the variant in place main.cpp:7 means"));
}

// RAND_MAX comes with <cstdlib>, which the kernel has no use for.
TEST_F(WholeFile, RejectsCodeThatDependsOnMacroOfFile) {
  const std::string variant =
      "void scale(const float* x, float* y, int n) {\n#ifdef RAND_MAX\n  n = n / 2;\n#endif\n"
      "  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i];\n}\n";
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant),
              StartsWith("<candidate>:3: in the kernel's file this reads 'n', and where it is judged "));
}

// half() is out of the kernel's reach.
TEST_F(WholeFile, RejectsCodeThatDependsOnNameOfFile) {
  const std::string variant =
      "template <class T> auto asked(T v, int) -> decltype(half(v), 1) { return 1; }\n"
      "template <class T> int asked(T, long) { return 0; }\n"
      "void scale(const float* x, float* y, int n) {\n  if (asked(n, 0)) n = 0;\n"
      "  for (int i = 0; i < n; ++i) y[i] = x[i] + x[i];\n}\n";
  EXPECT_EQ(gate_says(variant), "");
  EXPECT_THAT(object(variant), StartsWith("<candidate>:4: in the kernel's file this means "));
}

TEST_F(WholeFile, RejectsMacroThatIsNotUndefined) {
  const std::string variant = "#define farther(v) 0\n" + std::string(kBody) + "#if 0\n#undef farther\n#endif\n";
  EXPECT_THAT(object(variant), HasSubstr("outlives the candidate"));
}

}  // namespace
}  // namespace hone::frontend
