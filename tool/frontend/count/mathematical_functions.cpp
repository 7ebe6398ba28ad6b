#include "tool/frontend/count/mathematical_functions.h"

#include <algorithm>

namespace hone::frontend {
namespace {

constexpr std::string_view kFunctions[] = {
    "abs",   "acos",     "acosh", "asin",  "asinh",  "atan",      "atan2",  "atanh",     "cbrt",
    "ceil",  "copysign", "cos",   "cosh",  "erf",    "erfc",      "exp",    "exp2",      "expm1",
    "fabs",  "fdim",     "floor", "fma",   "fmod",   "hypot",     "ldexp",  "llround",   "log",
    "log10", "log1p",    "log2",  "lrint", "lround", "nearbyint", "pow",    "remainder", "rint",
    "round", "sin",      "sinh",  "sqrt",  "tan",    "tanh",      "tgamma", "lgamma",    "trunc"};
constexpr std::string_view kComparisons[] = {"fmax", "fmin", "max", "min", "clamp"};
constexpr std::string_view kClasses[] = {"isfinite", "isinf", "isnan", "signbit"};

}  // namespace

std::string operation_called(std::string_view name) {
  constexpr std::string_view builtin = "__builtin_";
  if (name.starts_with(builtin)) name.remove_prefix(builtin.size());
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (std::ranges::count(kComparisons, name) || std::ranges::count(kClasses, name)) return "compare";
    if (std::ranges::count(kFunctions, name)) return name == "fabs" ? "abs" : std::string(name);
    if (name.empty() || (name.back() != 'f' && name.back() != 'l')) break;
    name.remove_suffix(1);  // sqrtf, sqrtl
  }
  return "";
}

}  // namespace hone::frontend
