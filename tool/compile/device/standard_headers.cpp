#include "tool/compile/device/standard_headers.h"

#include <string>

#include <fmt/format.h>

namespace hone::compile {
namespace {

constexpr const char* once = "#pragma once\n";

constexpr const char* numbers = R"(#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
)";

// The limits of IEEE 754's two formats, which are a device's.
constexpr const char* formats = R"(#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define FLT_TRUE_MIN 1.401298464e-45F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_TRUE_MIN 4.9406564584124654e-324
)";

constexpr const char* sizes = R"(namespace std {
using ::size_t;
using ::ptrdiff_t;
using nullptr_t = decltype(nullptr);
}
)";

constexpr const char* functions[] = {
    "abs",  "acos",  "acosh", "asin",  "asinh",     "atan",     "atan2",     "atanh",  "cbrt",   "ceil",    "cos",
    "cosh", "erf",   "erfc",  "exp",   "exp2",      "expm1",    "fabs",      "fdim",   "floor",  "fma",     "fmax",
    "fmin", "fmod",  "hypot", "isinf", "isnan",     "isfinite", "ldexp",     "lgamma", "llrint", "lrint",   "lround",
    "log",  "log10", "log1p", "log2",  "nearbyint", "pow",      "remainder", "rint",   "round",  "signbit", "sin",
    "sinh", "sqrt",  "tan",   "tanh",  "tgamma",    "trunc",    "copysign"};

// NVRTC's own overloads for float and double stand in no namespace.
std::string mathematics() {
  std::string text = std::string(once) + "#include <math.h>\nnamespace std {\n";
  for (const char* function : functions) text += fmt::format("using ::{};\n", function);
  return text + "}\n";
}

std::string of_libcu(const char* name, bool names_in_std) {
  return fmt::format("{}#include <cuda/std/{}>\n{}", once, name,
                     names_in_std ? "namespace std { using namespace ::cuda::std; }\n" : "");
}

}  // namespace

std::vector<HeaderTree::Header> standard_headers() {
  const std::string bytes = "namespace std { using ::memcpy; using ::memset; }\n";
  std::vector<HeaderTree::Header> headers{
      {first_header,
       std::string(once) + "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <cstring>\n"},
      {"math.h", std::string(once) + numbers},
      {"cmath", mathematics()},
      {"cstring", once + bytes},
  };
  for (const char* name : {"float.h", "cfloat"}) headers.push_back({name, std::string(once) + formats});
  for (const char* name : {"stddef.h", "cstddef"}) headers.push_back({name, std::string(once) + sizes});
  for (const char* name :
       {"cstdint", "array", "functional", "iterator", "limits", "numeric", "tuple", "type_traits", "utility"})
    headers.push_back({name, of_libcu(name, true)});
  headers.push_back({"climits", of_libcu("climits", false)});
  // libcu++ puts these into the global namespace too.
  for (const char* name : {"limits", "stdint"})
    headers.push_back({fmt::format("{}.h", name), fmt::format("{}#include <cuda/std/c{}>\n", once, name)});
  // NVRTC declares by itself what these headers declare.
  for (const char* name : {"string.h", "assert.h", "cassert", "stdio.h", "cstdio", "stdlib.h", "cstdlib"})
    headers.push_back({name, once});
  return headers;
}

}  // namespace hone::compile
