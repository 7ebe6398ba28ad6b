#include "tool/transforms/values/vector_functions.h"

namespace hone::frontend {
namespace {

constexpr const char* exp_start = R"(
  unsigned e = __builtin_bit_cast(unsigned, x * 1.44269504f + 12582912.0f) - 0x4b400000u;
  float n = static_cast<float>(static_cast<int>(e));
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = (1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f;
  p = (p * r + 4.1665795894e-2f) * r + 1.6666665459e-1f;
  p = (p * r + 5.0000001201e-1f) * r * r + r + 1.0f;)";
constexpr const char* exp_end = R"(
  unsigned h = static_cast<unsigned>(static_cast<int>(e) >> 1);
  float v = p * __builtin_bit_cast(float, (h + 127u) << 23) * __builtin_bit_cast(float, (e - h + 127u) << 23);
  unsigned over = 0u - static_cast<unsigned>(x > 88.7228394f), under = 0u - static_cast<unsigned>(x < -103.9721f);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, v) & ~(over | under)) | (over & 0x7f800000u));
)";

constexpr const char* exp_end_of_normal = R"(
  unsigned over = 0u - static_cast<unsigned>(x > 88.7228394f), in = 0u - static_cast<unsigned>(x > -87.3365402f);
  unsigned v = (__builtin_bit_cast(unsigned, p) + (e << 23)) & in & ~over;
  return __builtin_bit_cast(float, v | (over & 0x7f800000u) | ((0u - static_cast<unsigned>(x != x)) & 0x7fc00000u));
)";

constexpr const char* log_scaling = R"(
  unsigned small = 0u - static_cast<unsigned>(x < 1.17549435e-38f);
  unsigned b = (__builtin_bit_cast(unsigned, x * 33554432.0f) & small) | (__builtin_bit_cast(unsigned, x) & ~small);)";
constexpr const char* log_middle = R"(
  int e = static_cast<int>(b - 0x3f3504f3u) >> 23;
  float f = __builtin_bit_cast(float, b - (static_cast<unsigned>(e) << 23)) - 1.0f;
  float n = static_cast<float>(e SHIFT);
  float z = f * f;
  float y = (7.0376836292e-2f * f - 1.1514610310e-1f) * f + 1.1676998740e-1f;
  y = (y * f - 1.2420140846e-1f) * f + 1.4249322787e-1f;
  y = (y * f - 1.6668057665e-1f) * f + 2.0000714765e-1f;
  y = (y * f - 2.4999993993e-1f) * f + 3.3333331174e-1f;
  y = y * f * z - 2.12194440e-4f * n - 0.5f * z;
  float v = f + y + 0.693359375f * n;)";
constexpr const char* log_guard = R"(
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

constexpr const char* root_start = R"(
  unsigned b = __builtin_bit_cast(unsigned, x);
  float y = __builtin_bit_cast(float, 0x5f3759dfu - (b >> 1));
  float h = 0.5f * x;
  y = y * (1.5f - h * y * y);
  y = y * (1.5f - h * y * y);
)";
constexpr const char* last_step = "  y = y * (1.5f - h * y * y);\n";

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

constexpr const char* root_double_scaling = R"(
  unsigned long long small = 0ull - static_cast<unsigned long long>(x < 2.0e-292);
  x = __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, x * 3.2451855365842673e32) & small) | (__builtin_bit_cast(unsigned long long, x) & ~small));)";
constexpr const char* reciprocal_root_double_unscaling = R"(
  y = y * __builtin_bit_cast(double, (0x4350000000000000ull & small) | (0x3ff0000000000000ull & ~small));)";
constexpr const char* root_double_unscaling = R"(
  s = s * __builtin_bit_cast(double, (0x3c90000000000000ull & small) | (0x3ff0000000000000ull & ~small));)";
constexpr const char* root_double_start = R"(
  unsigned long long b = __builtin_bit_cast(unsigned long long, x);
  double y = __builtin_bit_cast(double, 0x5fe6eb50c7b537a9ull - (b >> 1));
  double h = 0.5 * x;
  y = y * (1.5 - h * y * y);
  y = y * (1.5 - h * y * y);
  y = y * (1.5 - h * y * y);
)";
constexpr const char* last_step_double = "  y = y * (1.5 - h * y * y);\n";
constexpr const char* reciprocal_root_double_guard = R"(
  unsigned long long odd = 0ull - static_cast<unsigned long long>(b - 1ull >= 0x7fefffffffffffffull);
  unsigned long long in_domain = 0ull - static_cast<unsigned long long>(b < 0x7ff0000000000001ull), minus = 0ull - static_cast<unsigned long long>(b == 0x8000000000000000ull);
  unsigned long long special = ((0x7ff0000000000000ull - b) & in_domain) | ((0x7ff8000000000000ull ^ (minus & 0x8008000000000000ull)) & ~in_domain);
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, y) & ~odd) | (special & odd));
)";
constexpr const char* root_double_correction = R"(
  double s = x * y;
  s = s + 0.5 * y * (x - s * s);
)";
constexpr const char* root_double_guard = R"(
  unsigned long long odd = 0ull - static_cast<unsigned long long>(b - 1ull >= 0x7fefffffffffffffull);
  unsigned long long itself = 0ull - static_cast<unsigned long long>((b << 1) == 0ull || b == 0x7ff0000000000000ull);
  unsigned long long special = (b & itself) | (0x7ff8000000000000ull & ~itself);
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, s) & ~odd) | (special & odd));
)";

// The same for double precision. The exponent's digits are read as a number through a mask, which neither needs
// conversions of 64-bit integers nor lets relaxed arithmetic take the rounding away.
constexpr const char* exp_double_start = R"(
  unsigned long long t = __builtin_bit_cast(unsigned long long, x * 1.4426950408889634 + 6755399441055744.0);
  double n = __builtin_bit_cast(double, (t & 0xfffffffffffffull) | 0x4330000000000000ull) - 6755399441055744.0;
  double r = x - n * 6.93145751953125e-1 - n * 1.42860682030941723212e-6;
  double p = (1.6059043836821613e-10 * r + 2.08767569878681e-9) * r + 2.505210838544172e-8;
  p = (p * r + 2.755731922398589e-7) * r + 2.7557319223985893e-6;
  p = (p * r + 2.48015873015873e-5) * r + 1.984126984126984e-4;
  p = (p * r + 1.388888888888889e-3) * r + 8.333333333333333e-3;
  p = (p * r + 4.1666666666666664e-2) * r + 1.6666666666666666e-1;
  p = (p * r + 0.5) * r * r + r + 1.0;
  unsigned long long e = t - 0x4338000000000000ull;)";
constexpr const char* exp_double_end = R"(
  unsigned long long h = ((e + 4096ull) >> 1) - 2048ull;
  double v = p * __builtin_bit_cast(double, (h + 1023ull) << 52) * __builtin_bit_cast(double, (e - h + 1023ull) << 52);
  unsigned long long over = 0ull - static_cast<unsigned long long>(x > 709.782712893384), under = 0ull - static_cast<unsigned long long>(x < -745.1332191019412);
  return __builtin_bit_cast(double, (__builtin_bit_cast(unsigned long long, v) & ~(over | under)) | (over & 0x7ff0000000000000ull));
)";

constexpr const char* exp_double_end_of_normal = R"(
  unsigned long long over = 0ull - static_cast<unsigned long long>(x > 709.782712893384), in = 0ull - static_cast<unsigned long long>(x > -708.3964185322641);
  unsigned long long v = (__builtin_bit_cast(unsigned long long, p) + (e << 52)) & in & ~over;
  unsigned long long open = 0ull - static_cast<unsigned long long>(x != x);
  return __builtin_bit_cast(double, v | (over & 0x7ff0000000000000ull) | (open & 0x7ff8000000000000ull));
)";

constexpr const char* log_double_scaling = R"(
  unsigned long long small = 0ull - static_cast<unsigned long long>(x < 2.2250738585072014e-308);
  unsigned long long b = (__builtin_bit_cast(unsigned long long, x * 18014398509481984.0) & small) | (__builtin_bit_cast(unsigned long long, x) & ~small);)";
constexpr const char* log_double_middle = R"(
  unsigned long long e = (b + 0x00195f619980c433ull) >> 52;
  double f = __builtin_bit_cast(double, b - ((e - 1024ull) << 52)) - 1.0;
  double n = __builtin_bit_cast(double, e | 0x4330000000000000ull) - 4503599627371520.0 SHIFT;
  double s = f / (2.0 + f), z = s * s;
  double y = (1.479819860511658591e-1 * z + 1.531383769920937332e-1) * z + 1.818357216161805012e-1;
  y = (y * z + 2.222219843214978396e-1) * z + 2.857142874366239149e-1;
  y = ((y * z + 3.999999999940941908e-1) * z + 6.666666666666735130e-1) * z;
  double half = 0.5 * f * f;
  double v = n * 6.93147180369123816490e-1 - ((half - (s * (half + y) + n * 1.90821492927058770002e-10)) - f);)";
constexpr const char* log_double_guard = R"(
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

// What erf and erfc share. NEAR is right below 0.75; what is below infinity by far enough is as far as infinity.
constexpr const char* erf_start = R"(
  unsigned b = __builtin_bit_cast(unsigned, x), sign = b & 0x80000000u, m = b ^ sign;
  unsigned open = 0u - static_cast<unsigned>(m > 0x7f800000u);
  m = m < 0x41220000u ? m : 0x41220000u;
  float a = __builtin_bit_cast(float, m), z = a * a;
  unsigned close = 0u - static_cast<unsigned>(a < 0.75f);
  float near = ((-6.75050192e-4f * z + 5.11448266e-3f) * z - 2.68346908e-2f) * z + 1.12833779e-1f;
  near = ((near * z - 3.76126188e-1f) * z + 1.12837917f) * a;
  float s = 1.0f / (2.0f + a);
  float far = ((1.52669718e+1f * s - 1.49833475e+1f) * s - 4.30369999f) * s + 5.59011983f;
  far = ((far * s + 2.02508055f) * s + 2.09432143f) * s + 1.118002f;
  far = (far * s + 5.64676061e-1f) * s - 9.54187464e-6f;
  float h = __builtin_bit_cast(float, m & 0xfffff000u), d = (h - a) * (h + a);
  far = far * EXP(-h * h) * ((((4.16666667e-2f * d + 1.66666667e-1f) * d + 0.5f) * d + 1.0f) * d + 1.0f);)";
constexpr const char* erf_end = R"(
  unsigned v = (__builtin_bit_cast(unsigned, near) & close) | (__builtin_bit_cast(unsigned, 1.0f - far) & ~close);
  return __builtin_bit_cast(float, v | sign | (open & b));
)";
constexpr const char* erfc_end = R"(
  unsigned v = (__builtin_bit_cast(unsigned, 1.0f - near) & close) | (__builtin_bit_cast(unsigned, far) & ~close);
  unsigned below = 0u - (sign >> 31);
  unsigned w = __builtin_bit_cast(unsigned, 2.0f - __builtin_bit_cast(float, v));
  return __builtin_bit_cast(float, (w & below) | (v & ~below) | (open & b));
)";

constexpr const char* erf_double_start = R"(
  unsigned long long b = __builtin_bit_cast(unsigned long long, x), sign = b & 0x8000000000000000ull, m = b ^ sign;
  unsigned long long open = 0ull - static_cast<unsigned long long>(m > 0x7ff0000000000000ull);
  m = m < 0x403b800000000000ull ? m : 0x403b800000000000ull;
  double a = __builtin_bit_cast(double, m), z = a * a;
  unsigned long long close = 0ull - static_cast<unsigned long long>(a < 0.75);
  double near = (1.1464977863914198e-8 * z - 1.5937939872205178e-7) * z + 1.6430428397136298e-6;
  near = ((near * z - 1.4924179263144581e-5) * z + 1.2055288880725201e-4) * z - 8.5483261716100246e-4;
  near = ((near * z + 5.2239776151594879e-3) * z - 2.6866170644405621e-2) * z + 1.1283791670952494e-1;
  near = ((near * z - 3.7612638903183715e-1) * z + 1.1283791670955126) * a;
  double s = 1.0 / (2.0 + a);
  double far = (16640.231347060686 * s - 34787.295240533487) * s + 2056.6718619388298;
  far = ((far * s + 70072.769638212849) * s - 108108.30253697782) * s + 85801.093188330298;
  far = ((far * s - 42338.613090723156) * s + 13842.878534602627) * s - 3308.2230945919177;
  far = ((far * s + 694.16012061650065) * s - 95.921298834542242) * s - 2.9530303925200325;
  far = ((far * s - 8.2202616967231457) * s - 2.1600445461676829e-1) * s + 2.6764086299303016;
  far = ((far * s + 2.8210857744289419) * s + 1.9746596211976273) * s + 1.1283792427238826;
  far = (far * s + 5.6418958266548813e-1) * s + 4.684838880921207e-12;
  double h = __builtin_bit_cast(double, m & 0xfffffffff8000000ull), d = (h - a) * (h + a);
  far = far * EXP(-h * h) * (((1.6666666666666666e-1 * d + 0.5) * d + 1.0) * d + 1.0);)";
constexpr const char* erf_double_end = R"(
  unsigned long long v = (__builtin_bit_cast(unsigned long long, near) & close) | (__builtin_bit_cast(unsigned long long, 1.0 - far) & ~close);
  return __builtin_bit_cast(double, v | sign | (open & b));
)";
constexpr const char* erfc_double_end = R"(
  unsigned long long v = (__builtin_bit_cast(unsigned long long, 1.0 - near) & close) | (__builtin_bit_cast(unsigned long long, far) & ~close);
  unsigned long long below = 0ull - (sign >> 63);
  unsigned long long w = __builtin_bit_cast(unsigned long long, 2.0 - __builtin_bit_cast(double, v));
  return __builtin_bit_cast(double, (w & below) | (v & ~below) | (open & b));
)";

// What sine and cosine share. The cosine is the sine a quarter of a circle further. x - x is NaN for what is infinite.
constexpr const char* circle_body = R"(
  unsigned q = __builtin_bit_cast(unsigned, x * 6.36619772e-1f + 12582912.0f) - 0x4b400000u;
  float n = static_cast<float>(static_cast<int>(q));
  float r = x - n * 1.5703125f - n * 4.83751297e-4f - n * 7.54978995e-8f + (x - x), z = r * r;
  float s = ((-1.95130614e-4f * z + 8.33215141e-3f) * z - 1.66666546e-1f) * z * r + r;
  float c = ((2.44309863e-5f * z - 1.38873022e-3f) * z + 4.16666455e-2f) * z * z - 0.5f * z + 1.0f;
  q = q + QUARTERS;
  unsigned odd = 0u - (q & 1u);
  unsigned v = (__builtin_bit_cast(unsigned, c) & odd) | (__builtin_bit_cast(unsigned, s) & ~odd);
  return __builtin_bit_cast(float, v ^ ((q & 2u) << 30));
)";

constexpr const char* circle_double_body = R"(
  unsigned long long q = __builtin_bit_cast(unsigned long long, x * 6.3661977236758134e-1 + 6755399441055744.0);
  double n = __builtin_bit_cast(double, (q & 0xfffffffffffffull) | 0x4330000000000000ull) - 6755399441055744.0;
  double r = x - n * 1.5707963267341256 - n * 6.077100506303966e-11 - n * 2.0222662487959506e-21 + (x - x), z = r * r;
  double s = (1.5893569873349781e-10 * z - 2.5050703518862948e-8) * z + 2.75573133498977e-6;
  s = ((s * z - 1.9841269828838967e-4) * z + 8.3333333333212144e-3) * z - 1.6666666666666627e-1;
  s = s * z * r + r;
  double c = (-1.1357638171730747e-11 * z + 2.0875685403574026e-9) * z - 2.7557314080851987e-7;
  c = ((c * z + 2.4801587288567196e-5) * z - 1.3888888888872698e-3) * z + 4.1666666666666588e-2;
  c = c * z * z - 0.5 * z + 1.0;
  q = q + QUARTERS;
  unsigned long long odd = 0ull - (q & 1ull);
  unsigned long long v = (__builtin_bit_cast(unsigned long long, c) & odd) | (__builtin_bit_cast(unsigned long long, s) & ~odd);
  return __builtin_bit_cast(double, v ^ ((q & 2ull) << 62));
)";

constexpr const char* circle_guard = R"(
  *far |= (__builtin_bit_cast(unsigned, x) & 0x7fffffffu) > 0x46000000u;)";
constexpr const char* circle_double_guard = R"(
  *far |= (__builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull) > 0x412e848000000000ull;)";

std::string with(std::string text, const std::string& word, const std::string& what) {
  if (const std::size_t at = text.find(word); at != text.npos) text.replace(at, word.size(), what);
  return text;
}

// `quarters` of a circle further; "": none.
std::string circle_text(bool wide, const std::string& quarters) {
  const std::string guard = wide ? circle_double_guard : circle_guard, body = wide ? circle_double_body : circle_body;
  return guard + (quarters.empty() ? with(body, "  q = q + QUARTERS;\n", "") : with(body, "QUARTERS", quarters));
}

std::string exp_text(bool wide, bool guards) {
  if (wide) return exp_double_start + std::string(guards ? exp_double_end : exp_double_end_of_normal);
  return exp_start + std::string(guards ? exp_end : exp_end_of_normal);
}

std::string log_text(bool wide, bool guards) {
  const char* bits = wide ? "\n  unsigned long long b = __builtin_bit_cast(unsigned long long, x);"
                          : "\n  unsigned b = __builtin_bit_cast(unsigned, x);";
  const char* shift =
      wide ? "- __builtin_bit_cast(double, 0x404b000000000000ull & small)" : "- static_cast<int>(25u & small)";
  const std::string middle =
      with(wide ? log_double_middle : log_middle, " SHIFT", guards ? " " + std::string(shift) : "");
  if (!guards) return bits + middle + "\n  return v;\n";
  return (wide ? log_double_scaling : log_scaling) + middle + (wide ? log_double_guard : log_guard);
}

std::string root_text(bool wide, bool guards) {
  const std::string steps =
      std::string(wide ? root_double_start : root_start) + (wide ? root_double_correction : root_correction);
  if (!guards) return steps + "  return s;\n";
  return (wide ? root_double_scaling : root_scaling) + steps +
         (wide ? root_double_unscaling + std::string(root_double_guard) : root_unscaling + std::string(root_guard));
}

std::string reciprocal_root_text(bool wide, bool guards) {
  const std::string steps = std::string(wide ? root_double_start : root_start) + (wide ? last_step_double : last_step);
  if (!guards) return steps + "  return y;\n";
  return (wide ? root_double_scaling : root_scaling) + steps +
         (wide ? reciprocal_root_double_unscaling + std::string(reciprocal_root_double_guard)
               : reciprocal_root_unscaling + std::string(reciprocal_root_guard));
}

}  // namespace

bool is_of_double(VectorFunction function) {
  return function >= VectorFunction::exp_double;
}

bool has_guards(VectorFunction function) {
  using enum VectorFunction;
  for (const VectorFunction one :
       {exp, log, root, reciprocal_root, exp_double, log_double, root_double, reciprocal_root_double})
    if (function == one) return true;
  return false;
}

bool tells_far(VectorFunction function) {
  using enum VectorFunction;
  return function == sin || function == cos || function == sin_double || function == cos_double;
}

bool calls_exp(VectorFunction function) {
  using enum VectorFunction;
  for (const VectorFunction one : {tanh, erf, erfc, tanh_double, erf_double, erfc_double})
    if (function == one) return true;
  return false;
}

std::string vector_function_text(VectorFunction function, bool guards, const std::string& exp) {
  switch (function) {
    case VectorFunction::exp:
    case VectorFunction::exp_double:
      return exp_text(is_of_double(function), guards);
    case VectorFunction::log:
    case VectorFunction::log_double:
      return log_text(is_of_double(function), guards);
    case VectorFunction::root:
    case VectorFunction::root_double:
      return root_text(is_of_double(function), guards);
    case VectorFunction::reciprocal_root:
    case VectorFunction::reciprocal_root_double:
      return reciprocal_root_text(is_of_double(function), guards);
    case VectorFunction::tanh:
      return with(tanh_body, "EXP", exp);
    case VectorFunction::tanh_double:
      return with(tanh_double_body, "EXP", exp);
    case VectorFunction::erf:
      return with(erf_start, "EXP", exp) + erf_end;
    case VectorFunction::erfc:
      return with(erf_start, "EXP", exp) + erfc_end;
    case VectorFunction::erf_double:
      return with(erf_double_start, "EXP", exp) + erf_double_end;
    case VectorFunction::erfc_double:
      return with(erf_double_start, "EXP", exp) + erfc_double_end;
    case VectorFunction::sin:
      return circle_text(false, "");
    case VectorFunction::cos:
      return circle_text(false, "1u");
    case VectorFunction::sin_double:
      return circle_text(true, "");
    case VectorFunction::cos_double:
      return circle_text(true, "1ull");
  }
  return {};
}

}  // namespace hone::frontend
