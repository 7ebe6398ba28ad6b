#include "tool/judge/data/scalar.h"

#include <fmt/format.h>

#include <cmath>

namespace hone::judge {

float to_float(Half half) {
  const std::uint32_t sign = (half.bits & 0x8000u) << 16, exponent = (half.bits >> 10) & 31u,
                      mantissa = half.bits & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float tiny = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -tiny : tiny;
}

Half to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto pack = [sign](unsigned magnitude) { return Half{static_cast<std::uint16_t>(sign | magnitude)}; };
  if (std::isnan(value)) return pack(0x7e00);
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0f) return pack(0x7c00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
  if (magnitude < 0x1p-14f) return pack(static_cast<unsigned>(std::nearbyint(magnitude * 0x1p24f)));
  const auto significand = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 11 - exponent)));  // 1024…2048
  return pack((static_cast<unsigned>(exponent + 14) << 10) + significand - 1024);
}

float to_float(Brain brain) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(brain.bits) << 16);
}

// To the nearest, ties to even.
Brain to_brain(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

long long integer_value(const ScalarType& type, const runner::Scalar& scalar) {
  return visit_scalar(type, [&]<class T>(Tag<T>) -> long long {
    const T value = load<T>(bytes_of(scalar));
    if constexpr (is_floating<T>)
      return static_cast<long long>(as_double(value));
    else
      return static_cast<long long>(value);
  });
}

void set_integer(const ScalarType& type, runner::Scalar& scalar, long long value) {
  visit_scalar(type, [&]<class T>(Tag<T>) {
    if constexpr (is_floating<T>)
      store(bytes_of(scalar), from_double<T>(static_cast<double>(value)));
    else
      store(bytes_of(scalar), static_cast<T>(value));
  });
}

double real_value(const ScalarType& type, const runner::Scalar& scalar) {
  return visit_scalar(type, [&]<class T>(Tag<T>) { return as_double(load<T>(bytes_of(scalar))); });
}

void set_real(const ScalarType& type, runner::Scalar& scalar, double value) {
  visit_scalar(type, [&]<class T>(Tag<T>) { store(bytes_of(scalar), from_double<T>(value)); });
}

double epsilon_of(const ScalarType& type) {
  if (type.size == 2) return type.brain ? 0x1p-7 : 0x1p-10;
  return type.size == 4 ? 0x1p-23 : 0x1p-52;
}

void convert(const ScalarType& from_type, const std::byte* from, const ScalarType& to_type, std::byte* to) {
  if (from_type == to_type) {
    std::memcpy(to, from, from_type.size);
    return;
  }
  const double value = visit_scalar(from_type, [&]<class T>(Tag<T>) { return as_double(load<T>(from)); });
  visit_scalar(to_type, [&]<class T>(Tag<T>) { store(to, from_double<T>(value)); });
}

std::string print_scalar(const ScalarType& type, const std::byte* bytes) {
  return visit_scalar(type, [&]<class T>(Tag<T>) -> std::string {
    const T value = load<T>(bytes);
    if constexpr (is_small_floating<T>)
      return fmt::format("{}", to_float(value));
    else if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>)
      return fmt::format("{}", static_cast<int>(value));
    else if constexpr (std::is_same_v<T, long double>)
      return fmt::format("{:.21g}", value);
    else
      return fmt::format("{}", value);
  });
}

}  // namespace hone::judge
