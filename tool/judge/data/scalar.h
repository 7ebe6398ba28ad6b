// The arithmetic types that kernels' data is made of, at run time: one place that turns a ScalarType into a C++ type.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tool/model/element_type.h"
#include "tool/model/kernel_spec.h"
#include "tool/runner/protocol.h"

namespace hone::judge {

// IEEE 754 binary16 as bits; g++ 12 has no such type in C++.
struct Half {
  std::uint16_t bits = 0;
};
float to_float(Half half);
Half to_half(float value);

// bfloat16: the upper half of a float.
struct Brain {
  std::uint16_t bits = 0;
};
float to_float(Brain brain);
Brain to_brain(float value);

template <class T>
struct Tag {
  using type = T;
};

// Bytes of a T that hold its value. The others of a `long double` keep whatever stood in that memory before.
template <class T>
constexpr std::size_t value_bytes = std::is_same_v<T, long double>&& std::numeric_limits<T>::digits == 64 ? 10
                                                                                                          : sizeof(T);

// Calls f(Tag<T>{}) for the C++ type that the scalar has.
template <class Function>
decltype(auto) visit_scalar(const ScalarType& type, Function&& f) {
  switch (type.kind) {
    case ScalarKind::boolean:
      return f(Tag<bool>{});
    case ScalarKind::signed_integer:
      if (type.size == 1) return f(Tag<std::int8_t>{});
      if (type.size == 2) return f(Tag<std::int16_t>{});
      if (type.size == 4) return f(Tag<std::int32_t>{});
      return f(Tag<std::int64_t>{});
    case ScalarKind::unsigned_integer:
      if (type.size == 1) return f(Tag<std::uint8_t>{});
      if (type.size == 2) return f(Tag<std::uint16_t>{});
      if (type.size == 4) return f(Tag<std::uint32_t>{});
      return f(Tag<std::uint64_t>{});
    case ScalarKind::floating:
      break;
  }
  if (type.size == 2) return type.brain ? f(Tag<Brain>{}) : f(Tag<Half>{});
  if (type.size == 4) return f(Tag<float>{});
  if (type.size == 8) return f(Tag<double>{});
  return f(Tag<long double>{});
}

// Bytes of the element's widest floating field; 0: it has none.
inline std::size_t widest_floating(const ElementType& element) {
  std::size_t widest = 0;
  for (const Field& field : element.fields)
    if (field.type.kind == ScalarKind::floating && field.type.size > widest) widest = field.type.size;
  return widest;
}
inline bool has_floating(const ElementType& element) {
  return widest_floating(element) > 0;
}

template <class T>
constexpr bool is_floating = std::numeric_limits<T>::is_iec559;
template <>
inline constexpr bool is_floating<Half> = true;
template <>
inline constexpr bool is_floating<Brain> = true;

// The floating types that C++ has no arithmetic for.
template <class T>
constexpr bool is_small_floating = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

template <class T>
T load(const std::byte* from) {
  if constexpr (std::is_same_v<T, bool>) {
    return from[0] != std::byte{0};  // any other pattern in a bool is not a value
  } else {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
double as_double(T value) {
  if constexpr (is_small_floating<T>)
    return to_float(value);
  else
    return static_cast<double>(value);
}

// Rounds toward what T holds; out-of-range integers are clamped.
template <class T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, Brain>) {
    return to_brain(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else if constexpr (is_floating<T>) {
    return static_cast<T>(value);
  } else {
    if (!(value > static_cast<double>(std::numeric_limits<T>::min()))) return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  }
}

// Of a scalar parameter: its only field.
inline const ScalarType& scalar_type(const Parameter& parameter) {
  return parameter.element.fields.front().type;
}
inline bool is_integer(const ScalarType& type) {
  return type.kind == ScalarKind::signed_integer || type.kind == ScalarKind::unsigned_integer;
}

inline std::byte* bytes_of(runner::Scalar& scalar) {
  return reinterpret_cast<std::byte*>(scalar.bytes);
}
inline const std::byte* bytes_of(const runner::Scalar& scalar) {
  return reinterpret_cast<const std::byte*>(scalar.bytes);
}

long long integer_value(const ScalarType& type, const runner::Scalar& scalar);
void set_integer(const ScalarType& type, runner::Scalar& scalar, long long value);
double real_value(const ScalarType& type, const runner::Scalar& scalar);
void set_real(const ScalarType& type, runner::Scalar& scalar, double value);
double epsilon_of(const ScalarType& type);  // of a floating type: from 1 to the next value
void convert(const ScalarType& from_type, const std::byte* from, const ScalarType& to_type, std::byte* to);
std::string print_scalar(const ScalarType& type, const std::byte* bytes);

}  // namespace hone::judge
