// Lambdas and what macros make, as kernels.
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

TEST(Lambda, InVariableBecomesFunction) {
  const Snippet snippet(R"(namespace app {
#pragma hone kernel in(x[0:n]) problem(n=64)
const auto sum = [](const float* x, int n) noexcept {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
};
}
)");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  ASSERT_THAT(found.kernels, SizeIs(1));
  EXPECT_EQ(found.kernels[0].spec.name, "app::sum_lambda");
  EXPECT_EQ(found.kernels[0].spec.line, 2u);
  EXPECT_THAT(found.kernels[0].spec.unit.definition,
              HasSubstr("static inline float sum_lambda(const float *x, int n) noexcept {"));
  EXPECT_THAT(rewrite(found.file, {}), HasSubstr("{ return sum_lambda(x, n); }"));
}

TEST(Lambda, InFunctionTakesNumbersAndPointersThatItCaptures) {
  const KernelSpec spec = Snippet(R"(
void outer(float* y, int n, float a) {
  const float* x = y + n;
  #pragma hone kernel in(x[0:n]) inout(y[0:n]) problem(n=64)
  auto axpy = [&](int from) { for (int i = from; i < n; ++i) y[i] += a * x[i]; };
  axpy(0);
})")
                              .kernel();
  EXPECT_EQ(spec.name, "outer_axpy_lambda");
  EXPECT_EQ(spec.parameters.size(), 5u);
}

TEST(Lambda, HasMacrosOfItsOwnPlace) {
  const Snippet snippet(R"(#define K 3
void outer(float* y, int n) {
#undef K
#define K 2
  #pragma hone kernel inout(y[0:n]) problem(n=64)
  auto scale = [&](int from) { for (int i = from; i < n; ++i) y[i] *= K; };
  scale(0);
})");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  const std::string text = rewrite(found.file, {});
  EXPECT_LT(text.find("#undef K\n#define K 2\n"), text.find("outer_scale_lambda"));
  EXPECT_LT(text.find("#undef K\n#define K 3\n"), text.find("void outer("));
}

TEST(Lambda, ThatCannotBeTunedIsReported) {
  const auto complaints = Snippet(R"(#include <vector>
void outer(const std::vector<float>& v, int n) {
  #pragma hone kernel problem(n=64)
  auto f = [&](int n) { return v[n]; };
  #pragma hone kernel problem(n=64)
  auto g = [](auto n) { return n; };
  f(n) + g(n);
})")
                              .complaints();
  EXPECT_THAT(complaints, testing::Contains(HasSubstr("3:3: the lambda 'f' captures 'v', which is no number")));
  EXPECT_THAT(complaints, testing::Contains(HasSubstr("5:3: the lambda 'g' is a template")));
}

TEST(MacroFunction, IsWrittenOut) {
  const Snippet snippet(R"(#define SUM(T, name) T name(const T* x, int n) { T s = 0; \
  for (int i = 0; i < n; ++i) s += x[i]; return s; }
#define KERNEL(name) static void name(float* x, int n)
#pragma hone kernel in(x[0:n]) problem(n=64)
SUM(float, sumf)
#pragma hone kernel inout(x[0:n]) problem(n=64)
KERNEL(half) {
  for (int i = 0; i < n; ++i) x[i] *= 0.5f;
}
int last = __LINE__;
)");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  ASSERT_THAT(found.kernels, SizeIs(2));
  EXPECT_EQ(found.kernels[0].spec.name, "sumf");
  EXPECT_THAT(found.kernels[0].spec.unit.definition, HasSubstr("float sumf ( const float * x , int n ) {"));
  EXPECT_EQ(found.kernels[1].spec.name, "half");
  EXPECT_EQ(found.kernels[1].spec.line, 6u);
}

}  // namespace
}  // namespace hone::frontend
