// Member functions as kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Member, OutsideOfItsClassIsKernel) {
  const KernelSpec spec = Snippet(R"(
namespace app {
struct Filter {
  static constexpr int most = 64;
  float sum(const float* x, int n) const;
};
#pragma hone kernel in(x[0:most]) problem(n=most)
float Filter::sum(const float* x, int n) const {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
})")
                              .kernel();
  EXPECT_EQ(spec.name, "app::Filter::sum");
  EXPECT_EQ(spec.signature, "float app::Filter::sum(const float *, int) const");
}

// Static, const, operators, functors; public and private, with what only a class's own scope knows.
TEST(Member, InItsClassStandsBehindIt) {
  const Snippet snippet(R"(#include <cstddef>
namespace app {
class Filter {
  typedef double Sum;
  struct Inner {
    #pragma hone kernel in(x[0:n]) problem(n=64)
    [[nodiscard]] static Sum sum(const Sum* x, std::size_t n = 1) noexcept {
      Sum s = 0;
      for (std::size_t i = 0; i < n; ++i) s += x[i];
      return s;
    }
  };
 public:
  virtual ~Filter() {}
#pragma hone kernel inout(x[0:n]) problem(n=64)
  virtual void operator()(float* x, int n) const { for (int i = 0; i < n; ++i) x[i] *= two(); } int after = __LINE__;
  static float two() { return 2; }
};
int last = __LINE__;
})");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  ASSERT_THAT(found.kernels, SizeIs(2));
  EXPECT_EQ(found.kernels[0].spec.name, "app::Filter::Inner::sum");
  EXPECT_EQ(found.kernels[0].spec.line, 6u);
  EXPECT_THAT(found.kernels[0].spec.unit.definition,
              HasSubstr("auto Filter::Inner::sum(const Sum* x, std::size_t n ) noexcept -> Sum {"));
  EXPECT_EQ(found.kernels[1].spec.name, "app::Filter::operator()");
  EXPECT_EQ(found.kernels[1].spec.line, 15u);
  const std::string text = rewrite(found.file, {});
  EXPECT_THAT(text, HasSubstr("[[nodiscard]] static Sum sum(const Sum* x, std::size_t n = 1) noexcept \n#line 7 "));
  EXPECT_THAT(text, HasSubstr("#line 7 \"main.cpp\"\n[[nodiscard]] inline"));
  EXPECT_THAT(text, HasSubstr("#line 18 \"main.cpp\"\n\nint last"));
}

// The class defines K in front of the member, and anew or not at all behind it.
class MacrosOfAMember : public testing::TestWithParam<const char*> {};

TEST_P(MacrosOfAMember, MeanTheSameBehindItsClass) {
  const Snippet snippet(std::string(R"(#define TWICE(x) ((x) * K)
struct Filter {
#define K 2
#pragma hone kernel inout(x[0:K*n]) problem(n=64)
  static void scale(float* x, int n) { for (int i = 0; i < K * n; ++i) x[i] = TWICE(x[i]); }
#undef K
)") + GetParam() + "};\n" +
                        (*GetParam() ? "int after[K];\n" : "int K[3];\n"));
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  ASSERT_THAT(found.kernels, SizeIs(1));
  const std::string text = rewrite(found.file, {});
  EXPECT_THAT(text, HasSubstr("#undef K\n#define K 2\n"));
  const std::string behind = text.substr(text.rfind("#undef K"));
  EXPECT_EQ(behind.starts_with(*GetParam() ? "#undef K\n#define K 3\n" : "#undef K\n#line"), true) << behind;
}

INSTANTIATE_TEST_SUITE_P(Class, MacrosOfAMember, testing::Values("#define K 3\n", ""));

// Where `<::` is `[:`.
TEST(Member, MayBeOfCxx98) {
  const Snippet snippet(
      "struct Row {\n  int cells[9];\n  int gain;\n#pragma hone kernel inout(cells)\n"
      "  void scale(const Row& other) { for (int i = 0; i < 9; ++i) cells[i] *= other.gain; }\n};\n",
      {"-std=c++98"});
  EXPECT_THAT(snippet.complaints(), testing::IsEmpty());
}

TEST(Member, ThatCannotBeTunedIsReported) {
  EXPECT_THAT(Snippet(R"(
struct A {
  #pragma hone kernel in(x[0:4])
  explicit A(const float* x) { s = x[0]; }
  #pragma hone kernel in(x[0:4])
  float f(const float* x) const;
  #pragma hone kernel in(x[0:4])
  float g(const float* x) const { return x[0] * h(); }
  virtual float h() const { return s; }
  #pragma hone kernel in(x[0:4])
  float s;
};)")
                  .complaints(),
              ElementsAre(HasSubstr("3:3: 'A::A' makes, ends or converts objects"),
                          HasSubstr("5:3: 'A::f' is only declared here"),
                          HasSubstr("10:3: no member function's definition follows"),
                          HasSubstr("7:16: 'A::g' calls 'h' of its object, which is virtual")));
}

TEST(Member, OtherMembersMayUseWhatKernelMayNot) {
  const KernelSpec spec = Snippet(R"(#include <cstdio>
int calls;
struct A {
  void report() { std::printf("%d\n", ++calls); }
#pragma hone kernel inout(x[0:n]) problem(n=64)
  void half(float* x, int n) const { for (int i = 0; i < n; ++i) x[i] *= 0.5f; }
};)")
                              .kernel();
  EXPECT_EQ(spec.name, "A::half");
}

}  // namespace
}  // namespace hone::frontend
