// Element types, arrays and problems that tests of the data share.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/pattern.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/data/scalar_plan.h"
#include "tool/judge/data/special_values.h"

namespace hone::judge {

inline const ElementType float_element{"float", 4, 4, {{"", {ScalarKind::floating, 4}, 0, 1}}};
inline const ElementType double_element{"double", 8, 8, {{"", {ScalarKind::floating, 8}, 0, 1}}};
inline const ElementType int_element{"int", 4, 4, {{"", {ScalarKind::signed_integer, 4}, 0, 1}}};
inline const ElementType unsigned_element{"unsigned", 4, 4, {{"", {ScalarKind::unsigned_integer, 4}, 0, 1}}};
inline const ElementType byte_element{"unsigned char", 1, 1, {{"", {ScalarKind::unsigned_integer, 1}, 0, 1}}};
inline const ElementType point_element{
    "Point",
    16,
    8,
    {{"value", {ScalarKind::floating, 8}, 0, 1}, {"id", {ScalarKind::signed_integer, 4}, 8, 1}}};  // 4 of padding

inline Array line(std::size_t n, std::size_t size) {
  return {{{0, static_cast<long long>(n)}}, n, n * size};
}

template <class T>
std::vector<T> draw(const ElementType& element, std::size_t n, std::optional<Init> init = {},
                    std::vector<double> arguments = {}, SpecialValues special = {}) {
  Case c{.seed = 11, .special = special};
  c.arrays = {line(n, element.size)};
  c.values.reals = arguments;
  Parameter parameter{.name = "x", .pointer = true, .element = element, .init = std::move(init)};
  std::vector<T> data(n);
  EXPECT_TRUE(check_draw(parameter, c, 0));
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(data.data()));
  return data;
}

template <class T>
std::vector<T> patterned(const ElementType& element, Pattern pattern, std::size_t n, std::optional<Init> init = {}) {
  Case c{.seed = 11, .pattern = std::move(pattern)};
  c.arrays = {line(n, element.size)};
  c.values.reals = {2, 7};
  const Parameter parameter{.name = "x", .pointer = true, .element = element, .init = std::move(init)};
  std::vector<T> data(n);
  draw_array(parameter, c, 0, reinterpret_cast<std::byte*>(data.data()));
  return data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize((header.size() + 10 + 63) / 64 * 64 - 10, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() & 255) +
         static_cast<char>(header.size() >> 8) + header + data;
}

// n and m of 1000, alpha of 2.5; x[0:n][0:m].
struct Plans {
  Plans() {
    spec.parameters = {{.name = "n", .element = int_element},
                       {.name = "m", .element = int_element},
                       {.name = "alpha", .element = float_element}};
    spec.problems = {{{0, 1, 2}, 1}};
    declared.scalars.resize(3);
    for (const unsigned i : {0u, 1u}) set_integer(int_element.fields[0].type, declared.scalars[i], 1000);
    set_real(float_element.fields[0].type, declared.scalars[2], 2.5);
  }
  KernelSpec spec;
  Case declared;
  const Sizes sizes{true, true, false};
};

}  // namespace hone::judge
