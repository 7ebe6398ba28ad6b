#include "tool/transforms/values/vector_functions.h"

namespace hone::frontend {
namespace {

constexpr const char* exp_body = R"(
  unsigned e = __builtin_bit_cast(unsigned, x * 1.44269504f + 12582912.0f) - 0x4b400000u;
  float n = static_cast<float>(static_cast<int>(e));
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = (1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f;
  p = (p * r + 4.1665795894e-2f) * r + 1.6666665459e-1f;
  p = (p * r + 5.0000001201e-1f) * r * r + r + 1.0f;
  unsigned h = static_cast<unsigned>(static_cast<int>(e) >> 1);
  float v = p * __builtin_bit_cast(float, (h + 127u) << 23) * __builtin_bit_cast(float, (e - h + 127u) << 23);
  unsigned over = 0u - static_cast<unsigned>(x > 88.7228394f), under = 0u - static_cast<unsigned>(x < -103.9721f);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, v) & ~(over | under)) | (over & 0x7f800000u));
)";

constexpr const char* log_body = R"(
  unsigned small = 0u - static_cast<unsigned>(x < 1.17549435e-38f);
  unsigned b = (__builtin_bit_cast(unsigned, x * 33554432.0f) & small) | (__builtin_bit_cast(unsigned, x) & ~small);
  int e = static_cast<int>(b - 0x3f3504f3u) >> 23;
  float f = __builtin_bit_cast(float, b - (static_cast<unsigned>(e) << 23)) - 1.0f;
  float n = static_cast<float>(e - static_cast<int>(25u & small));
  float z = f * f;
  float y = (7.0376836292e-2f * f - 1.1514610310e-1f) * f + 1.1676998740e-1f;
  y = (y * f - 1.2420140846e-1f) * f + 1.4249322787e-1f;
  y = (y * f - 1.6668057665e-1f) * f + 2.0000714765e-1f;
  y = (y * f - 2.4999993993e-1f) * f + 3.3333331174e-1f;
  y = y * f * z - 2.12194440e-4f * n - 0.5f * z;
  float v = f + y + 0.693359375f * n;
  unsigned zero = 0u - static_cast<unsigned>(x == 0.0f), negative = 0u - static_cast<unsigned>(x < 0.0f);
  unsigned open = 0u - static_cast<unsigned>(!(x <= 3.4028234e38f));
  unsigned special = (zero & 0xff800000u) | (negative & 0x7fc00000u) | (open & __builtin_bit_cast(unsigned, x));
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, v) & ~(zero | negative | open)) | special);
)";

constexpr const char* tanh_body = R"(
  unsigned sign = __builtin_bit_cast(unsigned, x) & 0x80000000u;
  float a = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) ^ sign);
  float t = EXP(-2.0f * a);
  float far = (1.0f - t) / (1.0f + t);
  float z = a * a;
  float near = (-5.70498872745e-3f * z + 2.06390887954e-2f) * z - 5.37397155531e-2f;
  near = ((near * z + 1.33314422036e-1f) * z - 3.33332819422e-1f) * z * a + a;
  unsigned close = 0u - static_cast<unsigned>(a < 0.625f);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, near) & close) | (__builtin_bit_cast(unsigned, far) & ~close) | sign);
)";

// Small arguments are made larger first: the exponent trick takes denormals for something else, and half of a small one
// loses digits.
constexpr const char* root_scaling = R"(
  unsigned small = 0u - static_cast<unsigned>(x < 7.8886091e-31f);
  x = __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x * 16777216.0f) & small) | (__builtin_bit_cast(unsigned, x) & ~small));)";
constexpr const char* reciprocal_root_unscaling = R"(
  y = y * __builtin_bit_cast(float, (0x45800000u & small) | (0x3f800000u & ~small));)";
constexpr const char* root_unscaling = R"(
  s = s * __builtin_bit_cast(float, (0x39800000u & small) | (0x3f800000u & ~small));)";

constexpr const char* reciprocal_root_steps = R"(
  unsigned b = __builtin_bit_cast(unsigned, x);
  float y = __builtin_bit_cast(float, 0x5f3759dfu - (b >> 1));
  float h = 0.5f * x;
  y = y * (1.5f - h * y * y);
  y = y * (1.5f - h * y * y);
  y = y * (1.5f - h * y * y);
)";

// 0, infinity, NaN and what is negative are told apart from the rest with one comparison. 0x7f800000 - b swaps 0 and
// infinity; -0 becomes -infinity, as in the library.
constexpr const char* reciprocal_root_guard = R"(
  unsigned odd = 0u - static_cast<unsigned>(b - 1u >= 0x7f7fffffu);
  unsigned in_domain = 0u - static_cast<unsigned>(b < 0x7f800001u), minus = 0u - static_cast<unsigned>(b == 0x80000000u);
  unsigned special = ((0x7f800000u - b) & in_domain) | ((0x7fc00000u ^ (minus & 0x80400000u)) & ~in_domain);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, y) & ~odd) | (special & odd));
)";

constexpr const char* root_correction = R"(
  float s = x * y;
  s = s + 0.5f * y * (x - s * s);
)";

constexpr const char* root_guard = R"(
  unsigned odd = 0u - static_cast<unsigned>(b - 1u >= 0x7f7fffffu);
  unsigned itself = 0u - static_cast<unsigned>((b << 1) == 0u || b == 0x7f800000u);
  unsigned special = (b & itself) | (0x7fc00000u & ~itself);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, s) & ~odd) | (special & odd));
)";

// The same for double precision. The exponent's digits are read as a number through a mask, which neither needs
// conversions of 64-bit integers nor lets relaxed arithmetic take the rounding away.
constexpr const char* exp_double_body = R"(
  unsigned long long t = __builtin_bit_cast(unsigned long long, x * 1.4426950408889634 + 6755399441055744.0);
  double n = __builtin_bit_cast(double, (t & 0xfffffffffffffull) | 0x4330000000000000ull) - 6755399441055744.0;
  double r = x - n * 6.93145751953125e-1 - n * 1.42860682030941723212e-6;
  double p = (1.6059043836821613e-10 * r + 2.08767569878681e-9) * r + 2.505210838544172e-8;
  p = (p * r + 2.755731922398589e-7) * r + 2.7557319223985893e-6;
  p = (p * r + 2.48015873015873e-5) * r + 1.984126984126984e-4;
  p = (p * r + 1.388888888888889e-3) * r + 8.333333333333333e-3;
  p = (p * r + 4.1666666666666664e-2) * r + 1.6666666666666666e-1;
  p = (p * r + 0.5) * r * r + r + 1.0;
  unsigned long long e = t - 0x4338000000000000ull, h = ((e + 4096ull) >> 1) - 2048ull;
  double v = p * __builtin_bit_cast(double, (h + 1023ull) << 52) * __builtin_bit_cast(double, (e - h + 1023ull) << 52);
  unsigned long long over = 0ull - static_cast<unsigned long long>(x > 709.782712893384), under = 0ull - static_cast<unsigned long long>(x < -745.1332191019412);
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, v) & ~(over | under)) | (over & 0x7ff0000000000000ull));
)";

constexpr const char* log_double_body = R"(
  unsigned long long small = 0ull - static_cast<unsigned long long>(x < 2.2250738585072014e-308);
  unsigned long long b = (__builtin_bit_cast(unsigned long long, x * 18014398509481984.0) & small) | (__builtin_bit_cast(unsigned long long, x) & ~small);
  unsigned long long e = (b + 0x00195f619980c433ull) >> 52;
  double f = __builtin_bit_cast(double, b - ((e - 1024ull) << 52)) - 1.0;
  double n = __builtin_bit_cast(double, e | 0x4330000000000000ull) - 4503599627371520.0 - __builtin_bit_cast(double, 0x404b000000000000ull & small);
  double s = f / (2.0 + f), z = s * s;
  double y = (1.479819860511658591e-1 * z + 1.531383769920937332e-1) * z + 1.818357216161805012e-1;
  y = (y * z + 2.222219843214978396e-1) * z + 2.857142874366239149e-1;
  y = ((y * z + 3.999999999940941908e-1) * z + 6.666666666666735130e-1) * z;
  double half = 0.5 * f * f;
  double v = n * 6.93147180369123816490e-1 - ((half - (s * (half + y) + n * 1.90821492927058770002e-10)) - f);
  unsigned long long zero = 0ull - static_cast<unsigned long long>(x == 0.0), negative = 0ull - static_cast<unsigned long long>(x < 0.0);
  unsigned long long open = 0ull - static_cast<unsigned long long>(!(x <= 1.7976931348623157e308));
  unsigned long long special = (zero & 0xfff0000000000000ull) | (negative & 0x7ff8000000000000ull) | (open & __builtin_bit_cast(unsigned long long, x));
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, v) & ~(zero | negative | open)) | special);
)";

constexpr const char* tanh_double_body = R"(
  unsigned long long sign = __builtin_bit_cast(unsigned long long, x) & 0x8000000000000000ull;
  double a = __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) ^ sign);
  double t = EXP(-2.0 * a);
  double far = (1.0 - t) / (1.0 + t);
  double z = a * a;
  double above = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;
  double below = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
  double near = a * z * (above / below) + a;
  unsigned long long close = 0ull - static_cast<unsigned long long>(a < 0.625);
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, near) & close) | (__builtin_bit_cast(unsigned long long, far) & ~close) | sign);
)";

std::string guarded(const std::string& steps, const char* unscaling, const char* guard) {
  return root_scaling + steps + unscaling + guard;
}

}  // namespace

std::string vector_function_text(VectorFunction function, bool guards, const std::string& exp) {
  const std::string correction = reciprocal_root_steps + std::string(root_correction);
  std::string text;
  switch (function) {
    case VectorFunction::exp:
      return exp_body;
    case VectorFunction::log:
      return log_body;
    case VectorFunction::tanh:
      text = tanh_body;
      break;
    case VectorFunction::root:
      return guards ? guarded(correction, root_unscaling, root_guard) : correction + "  return s;\n";
    case VectorFunction::reciprocal_root:
      return guards ? guarded(reciprocal_root_steps, reciprocal_root_unscaling, reciprocal_root_guard)
                    : reciprocal_root_steps + std::string("  return y;\n");
    case VectorFunction::exp_double:
      return exp_double_body;
    case VectorFunction::log_double:
      return log_double_body;
    case VectorFunction::tanh_double:
      text = tanh_double_body;
      break;
  }
  return text.replace(text.find("EXP"), 3, exp);
}

}  // namespace hone::frontend
