// The reference in double: compiled by the real compilers, called, and refused where double would mean something else.
#include "tool/frontend/unit/double_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/frontend/loaded_unit.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;

Widening widen(const Snippet& snippet) {
  return widened(snippet.kernel(), snippet.command(), {});
}

class DoubleUnit : public testing::TestWithParam<const char*> {};

TEST_P(DoubleUnit, ComputesInDouble) {
  const Snippet snippet(R"code(
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#define REAL float
#define BIAS 0.1f
#define ROOT(v) sqrtf(v)
namespace app { namespace {
struct Point { float x, y; int tag; };
constexpr float kScale = 0x1.8p0f;
inline REAL grown(REAL v) { return expf(v) + std::fabs(v) * kScale + BIAS; }
#pragma hone kernel in(p[0:n]) out(y[0:n]) problem(n=4, gain=0.1) problem(n=1+1, gain=2)
float total(const Point* p, float* y, int n, float gain) {
  float sum = 0.0f, least = FLT_MAX, most = std::numeric_limits<float>::lowest();
  std::memset(y, 0, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    y[i] += grown(p[i].x) * gain + (float)p[i].tag + ROOT(p[i].y) * 1e-3f;
    sum += y[i];
    least = fminf(least, y[i]);
    most = std::max(most, y[i]);
  }
  return n == 0 ? least : sum + (most - least) * 0.f;
}
} float use(const Point* p, float* y) { return total(p, y, 0, 1); } }
)code");
  const Widening wide = widen(snippet);
  ASSERT_TRUE(wide.spec) << wide.reason;
  const KernelSpec& spec = *wide.spec;
  EXPECT_EQ(spec.signature, "double app::total(const app::(anonymous namespace)::Point *, double *, int, double)");
  EXPECT_EQ(spec.key, "");
  EXPECT_EQ(spec.parameters[0].element.size, 24u);
  EXPECT_EQ(spec.parameters[0].element.fields[1].type.size, 8u);
  EXPECT_EQ(spec.parameters[0].element.fields[2].type.size, 4u);  // an int stays one
  EXPECT_EQ(spec.parameters[1].element.size, 8u);
  EXPECT_EQ(spec.parameters[3].element.size, 8u);
  EXPECT_EQ(spec.result->size, 8u);

  const LoadedUnit unit(snippet, spec, GetParam());
  struct {
    double x, y;
    int tag;
  } p[2] = {{0.3, 2, 1}, {-1.7, 3, 4}};
  double y[2] = {}, gain = 0, sum = 0;
  int n = 0;
  unit.problem(0, {p, y, &n, &gain});
  EXPECT_EQ(gain, static_cast<double>(0.1f));  // the value that the original is called with
  n = 2;
  unit.call({p, y, &n, &gain}, &sum);
  for (int i = 0; i < 2; ++i) {
    const double grown = std::exp(p[i].x) + std::fabs(p[i].x) * 1.5 + static_cast<double>(0.1f);
    EXPECT_NEAR(y[i], grown * gain + p[i].tag + std::sqrt(p[i].y) * static_cast<double>(1e-3f), 1e-14);
  }
  EXPECT_NEAR(sum, y[0] + y[1], 1e-14);
  n = 0;
  unit.call({p, y, &n, &gain}, &sum);
  EXPECT_EQ(sum, static_cast<double>(3.402823466e+38f));  // a limit stays float's
}

INSTANTIATE_TEST_SUITE_P(Compilers, DoubleUnit,
                         testing::Values("g++ -std=c++17", "g++ -std=c++20 -O3 -ffast-math", "clang++-19 -std=c++17"));

struct Refusal {
  const char* name;
  const char* before;
  const char* body;
  const char* reason;
};

class DoubleUnitRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(DoubleUnitRefusal, ReportsReason) {
  Snippet snippet(
      "#include <cstdint>\n#include <cstring>\n#include <immintrin.h>\n#include \"own.h\"\n" +
      std::string(GetParam().before) +
      "\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\nvoid f(const float* x, float* y, int n) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = x[i];\n" +
      GetParam().body + "\n}\n");
  snippet.with_file("own.h", "inline float halved(float x) { return x / 2; }\ntypedef float real;\n");
  const Widening wide = widen(snippet);
  EXPECT_FALSE(wide.spec);
  EXPECT_THAT(wide.reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    All, DoubleUnitRefusal,
    testing::Values(
        Refusal{"Intrinsics", "", "_mm_storeu_ps(y, _mm_loadu_ps(x));", "main.cpp:9: it uses vectors of float"},
        Refusal{"Vectors", "typedef float v4 __attribute__((vector_size(16)));", "v4 a = {1}; y[0] = a[0];",
                "vector of float"},
        Refusal{"Bits", "", "y[0] = *reinterpret_cast<const int*>(x);", "main.cpp:9: the bytes of a float"},
        Refusal{"BitsThroughVoid", "", "const void* p = x; y[0] = *static_cast<const std::uint8_t*>(p);",
                "the bytes of a float"},
        Refusal{"CopiedBits", "", "std::int32_t b; std::memcpy(&b, x, sizeof b); y[0] = b & 1;",
                "the bytes of a float"},
        Refusal{"CountedBytes", "", "std::memcpy(y, x, 4 * n);", "the bytes of a float"},
        Refusal{"Unions", "union U { float f; int i; };", "U u; u.f = x[0]; y[0] = u.i & 1;", "a union"},
        Refusal{"Headers", "", "y[0] = halved(x[0]);", "main.cpp:9: a value from outside of the unit stays a float"},
        Refusal{"HeaderTypes", "", "real r = x[0]; y[0] = r;", "'r' stays a float"},
        Refusal{"Sizes", "", "static_assert(sizeof(float) == 4);", "static"},
        Refusal{"Overloads", "inline float g(float v) { return v; }\ninline double g(double v) { return 2 * v; }",
                "y[0] = g(x[0]) + g(1.0);", "redefinition"}),
    [](const auto& info) { return info.param.name; });

TEST(DoubleUnitOfIntegers, ReportsThatNothingIsFloat) {
  EXPECT_THAT(widen(Snippet("#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=64)\n"
                            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n"))
                  .reason,
              HasSubstr("nothing in it is of type float"));
}

}  // namespace
}  // namespace hone::frontend
