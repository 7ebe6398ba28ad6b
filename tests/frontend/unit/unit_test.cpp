// The unit and its harness: reduced, compiled by the real compilers, loaded and called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/loaded_unit.h"
#include "tests/frontend/snippet.h"
#include "tool/frontend/unit/clause_check.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kEverything = R"code(
#include <cmath>
#include <iostream>
#include "own.h"
#define SCALE(x) ((x) * kFactor)
#define N 16
#define T float
#define value 3
#define type 4
namespace app {
inline namespace v2 {
namespace {
struct Vec { float x, y; };
enum class Mode { plain, twice };
constexpr int kFactor = 3;
float helper(float x) { return std::sqrt(x); }
float unrelated() { std::cout << "hello"; return std::log(2.0f); }
int counter = std::rand();
void scale(double*) {}
#pragma hone kernel in(src[0:SCALE(n)/kFactor]) out(dst[0:n]) \
    problem(n=1<<2, mode=Mode::twice) problem(n=own_size(), gain=n*0.5f) init(src: uniform(-kLow, 2.5))
float scale(const Vec* __restrict src, float* dst, int n, Mode mode, float gain) noexcept {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    dst[i] = SCALE(helper(src[i].x)) * gain * (mode == Mode::twice ? 2 : 1);
    sum += dst[i];
  }
  return sum;
}
}  // namespace
float use() { return unrelated() + counter + scale(nullptr, nullptr, 0, Mode::plain, 1); }
}  // namespace v2
}
using namespace app;
int main() { return static_cast<int>(use()); }
)code";

class Harness : public testing::TestWithParam<const char*> {};

TEST_P(Harness, CallsKernelThroughVoidPointers) {
  Snippet snippet(kEverything);
  snippet.with_file("own.h", "#pragma once\ninline constexpr int own_size() { return 7; }\nconstexpr int kLow = 1;\n");
  const KernelSpec spec = snippet.kernel();
  const LoadedUnit unit(snippet, spec, GetParam());

  struct {
    float x, y;
  } src[4] = {{1, 0}, {4, 0}, {9, 0}, {16, 0}};
  float dst[4] = {};
  int n = 0, mode = 0;
  float gain = 0.5f, sum = 0;
  const std::vector<void*> slots = {src, dst, &n, &mode, &gain};
  unit.problem(1, slots);
  EXPECT_EQ(n, 7);
  EXPECT_EQ(gain, 3.5f);
  EXPECT_EQ(mode, 0);
  unit.problem(0, slots);
  EXPECT_EQ(n, 4);
  EXPECT_EQ(mode, 1);
  gain = 0.5f;
  unit.call(slots, &sum);
  EXPECT_THAT(dst, testing::ElementsAre(3, 6, 9, 12));
  EXPECT_EQ(sum, 30);

  const auto [integers, reals] = unit.evaluate({nullptr, nullptr, &n, &mode, &gain}, spec.expression_count);
  EXPECT_EQ(integers[spec.parameters[0].extent[0].length], 4);
  EXPECT_EQ(integers[spec.parameters[1].extent[0].length], 4);
  EXPECT_EQ(reals[spec.parameters[0].init->arguments[0]], -1);
  EXPECT_EQ(reals[spec.parameters[0].init->arguments[1]], 2.5);
}

INSTANTIATE_TEST_SUITE_P(
    Compilers, Harness,
    testing::Values("g++ -std=c++17 -O2 -Wall -Wextra -Werror -Wno-unused-function -fno-exceptions -fvisibility=hidden",
                    "clang++-19 -std=c++17 -Wall -Wextra -Werror -Wno-unused-function -Wshadow",
                    "g++ -std=c++20 -Wall -Wextra -Werror -Wno-unused-function -Wconversion -Wmissing-declarations "
                    "-Wold-style-cast -Wuseless-cast -Wpedantic"));

TEST(Unit, CompilesAsCxx11) {
  Snippet snippet(
      "#pragma hone kernel inout(x[0:n]) problem(n=8)\nvoid f(double* x, unsigned char n) { for (int i = 0; i < n; "
      "++i) x[i] += 1; }\n",
      {"-std=c++11"});
  const LoadedUnit unit(snippet, snippet.kernel(), "g++ -std=c++11 -Wall -Wextra -Werror -Wpedantic");
  unsigned char n = 0;
  double x[8] = {};
  unit.problem(0, {x, &n});
  unit.call({x, &n});
  EXPECT_THAT(x, testing::Each(1.0));
}

TEST(Unit, ToleratesUsingNamespaceStd) {
  Snippet snippet(
      "#include <algorithm>\nusing namespace std;\n#pragma hone kernel inout(x[0:n]) problem(n=8)\n"
      "void count(int* x, int n) { for (int i = 0; i < n; ++i) x[i] = max(x[i], 1); }\n");
  const LoadedUnit unit(snippet, snippet.kernel(), "g++ -std=c++17 -Wall -Wextra -Werror");
  int x[8] = {}, n = 8;
  unit.call({x, &n});
  EXPECT_THAT(x, testing::Each(1));
}

TEST(Unit, KeepsOnlyWhatKernelReaches) {
  Snippet snippet(kEverything);
  snippet.with_file("own.h", "#pragma once\ninline constexpr int own_size() { return 7; }\nconstexpr int kLow = 1;\n");
  const std::string text = whole(snippet.kernel());
  EXPECT_THAT(text, HasSubstr("float helper(float x)"));
  EXPECT_THAT(text, HasSubstr("#include <cmath>"));
  EXPECT_THAT(text, HasSubstr("#include \"own.h\""));
  EXPECT_THAT(text, HasSubstr("#define SCALE(x)"));
  EXPECT_THAT(text, Not(HasSubstr("<iostream>")));
  EXPECT_THAT(text, Not(HasSubstr("unrelated")));
  EXPECT_THAT(text, Not(HasSubstr("counter")));
  EXPECT_THAT(text, Not(HasSubstr("main(")));
  EXPECT_THAT(text, Not(HasSubstr("float use()")));
  EXPECT_THAT(text, Not(HasSubstr("#pragma hone")));
}

TEST(Unit, KeepsLineNumbers) {
  const KernelSpec spec = Snippet(
                              "int before() { return 1; }\nnamespace a {\n\n#pragma hone kernel inout(x[0:4])\nvoid "
                              "f(int* x) { x[0] = 1; }\n"
                              "int after() {\n return 2; }\n}\nint last;\n")
                              .kernel();
  EXPECT_EQ(spec.unit.definition_line, 5u);
  EXPECT_THAT(spec.unit.prologue, testing::StartsWith("#line 1 \"main.cpp\"\n"));
  EXPECT_EQ(spec.unit.opening.substr(0, 36), "#line 2 \"main.cpp\"\nnamespace a {\n\n  ");
  EXPECT_THAT(spec.unit.closing, testing::StartsWith("#line 5 \"main.cpp\"\n"));
  EXPECT_EQ(spec.unit.definition, "void f(int* x) { x[0] = 1; }");
}

TEST(Unit, KeepsDirectivesAndDropsPragmasOfDroppedCode) {
  const KernelSpec spec = Snippet(R"code(
#pragma omp declare simd
int gone(int x) { return x; }
int also_gone(int* x) {
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) x[i] = i;
#ifdef NEVER
  return 1;
#else
# define LATER 2
  return 2;
#endif
}
#pragma hone kernel inout(x[0:4])
void f(int* x) {
#pragma omp simd
  for (int i = 0; i < LATER; ++i) x[i] = LATER;
}
)code",
                                  {"-std=c++17", "-fopenmp"})
                              .kernel();
  const std::string text = whole(spec);
  EXPECT_THAT(text, Not(HasSubstr("declare simd")));
  EXPECT_THAT(text, Not(HasSubstr("omp parallel")));
  EXPECT_THAT(text, Not(HasSubstr("also_gone")));
  EXPECT_THAT(text, HasSubstr("# define LATER 2"));
  EXPECT_THAT(text, HasSubstr("#pragma omp simd"));
}

// The original stays as it stands, since the project's compiler may take other branches than Clang.
TEST(Unit, LeavesBranchesThatAreNotTakenOutOfTextForCandidates) {
  const KernelUnit unit = Snippet(R"code(
#pragma hone kernel inout(x[0:4])
void f(int* x) {
#if defined(_OTHER)  // with a remark
  x[0] = 1;
# ifdef INNER
  x[0] = 2;
# endif
#elif __GNUC__ >= 4 /* goes
  on */
  x[0] = 3;  // three
# ifndef INNER
#define FOUR 4
  x[1] = FOUR; //
# else
  x[1] = 5;
# endif
#else
  x[0] = 6;
#endif
  x[2] = 7;
}
)code")
                              .kernel()
                              .unit;
  EXPECT_EQ(unit.active(),
            "void f(int* x) {\n  x[0] = 3;  // three\n#define FOUR 4\n  x[1] = FOUR; //\n  x[2] = 7;\n}");
  EXPECT_THAT(unit.definition, HasSubstr("# endif\n#elif __GNUC__ >= 4"));
}

TEST(Unit, LeavesConditionsThatReachOutOfDefinition) {
  const KernelUnit unit = Snippet(
                              "#pragma hone kernel inout(x[0:4])\n#ifdef OTHER\nvoid f(long* x) {\n#else\n"
                              "void f(int* x) {\n#endif\n  x[0] = 1;\n}\n")
                              .kernel()
                              .unit;
  EXPECT_EQ(unit.active(), unit.definition);
}

TEST(Unit, KeepsMoreOfFileWhenLessDoesNotCompile) {
  Snippet snippet(
      "#include <cstdint>\n#include \"leans.h\"\n#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = 1; }\nint "
      "main() {}\n");
  snippet.with_file("leans.h", "inline std::uint8_t leaning() { return 1; }\n");  // includes nothing itself
  const std::string text = whole(snippet.kernel());
  EXPECT_THAT(text, HasSubstr("#include <cstdint>"));
  EXPECT_THAT(text, Not(HasSubstr("int main")));
}

TEST(Unit, FollowsTypesTemplatesOperatorsAndAliases) {
  Snippet snippet(R"code(
#include <algorithm>
#include <vector>
namespace math {
template <class T, int N> struct Small { T v[N]; T& operator[](int i) { return v[i]; } };
template <class T> struct Small<T, 0> {};
struct Key { int k; bool operator==(const Key& o) const { return k == o.k; } };
bool operator<(const Key& a, const Key& b);
inline bool operator<(const Key& a, const Key& b) { return a.k < b.k; }
template <class T> T square(T x) { return x * x; }
int deep(int x) { return square(x) + 1; }
}
namespace m = math;
using math::deep;
using Block = m::Small<int, 4>;
typedef struct { int a, b; } Pair, *PairPointer;
extern const int kTable[3];
const int kTable[3] = {1, 2, 3}, kOther = 4;
struct Late { int go() const; int z; };
int Late::go() const { return z; }
int unused_one(m::Key) { return 0; }
#pragma hone kernel inout(x[0:n]) inout(p[0:2]) problem(n=4)
void f(int* x, Pair* p, int n) {
  Block block = {};
  p[0].a = 1;
  math::Key keys[2] = {{2}, {1}};
  std::sort(keys, keys + 2);
  for (int i = 0; i < n; ++i) x[i] += block[i & 3] + deep(keys[0].k) + kTable[1] + kOther + Late{5}.go();
}
)code");
  const KernelSpec spec = snippet.kernel();
  EXPECT_THAT(whole(spec), Not(HasSubstr("unused_one")));
  EXPECT_THAT(whole(spec), Not(HasSubstr("<vector>")));
  const LoadedUnit unit(snippet, spec, "g++ -std=c++17 -Wall -Wextra -Werror");
  int x[4] = {}, pairs[4] = {}, n = 4;
  unit.call({x, pairs, &n});
  EXPECT_EQ(x[0], 0 + 2 + 2 + 4 + 5);
}

TEST(Unit, PassesItsOwnCheck) {
  Snippet snippet(kEverything);
  snippet.with_file("own.h", "#pragma once\ninline constexpr int own_size() { return 7; }\nconstexpr int kLow = 1;\n");
  KernelSpec spec = snippet.kernel();
  EXPECT_THAT(check_unit(spec, snippet.command(), {}), IsEmpty());
  spec.unit.harness += "int wrong = nowhere;\n";
  EXPECT_THAT(check_unit(spec, snippet.command(), {}), testing::SizeIs(1));
}

}  // namespace
}  // namespace hone::frontend
